#include "CPipeWireShims.h"
