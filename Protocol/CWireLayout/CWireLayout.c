#include "CWireLayout.h"
