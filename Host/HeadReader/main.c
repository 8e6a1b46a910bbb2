// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The reader of heads in SOFA files: a confined process, because libmysofa parses a file that may be damaged or hostile.
//
// Descriptor 4 is the file, descriptor 3 a seqpacket socket to the host. The process sends one header, then the numbers of all
// arrays in pieces; or one refusal. It reads, and decides nothing: the host checks every number.
#include <mysofa.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "Header.h"

enum { hostSocket = 3, file = 4 };

static void sendMessage(const void *message, size_t byteCount) {
  // A host that has gone away needs no answer.
  if (write(hostSocket, message, byteCount) != (ssize_t)byteCount) _exit(1);
}

static void refuse(int code, const char *reason) {
  struct HeadReader_Header header = {.kind = HeadReader_refusal, .code = code};
  strncpy(header.texts[0], reason, sizeof header.texts[0] - 1);
  sendMessage(&header, sizeof header);
  _exit(0);
}

static char *wholeFile(size_t *byteCount) {
  struct stat status;
  if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) refuse(0, "it is no file");
  if (status.st_size > HeadReader_mostBytes) refuse(0, "it has more than 512 MB");
  *byteCount = (size_t)status.st_size;
  char *bytes = malloc(*byteCount + 1);
  if (!bytes) refuse(0, "there is too little memory for it");
  for (size_t read = 0; read < *byteCount;) {
    ssize_t count = pread(file, bytes + read, *byteCount - read, (off_t)read);
    if (count <= 0) refuse(0, "it cannot be read to its end");
    read += (size_t)count;
  }
  return bytes;
}

static void copyAttribute(struct MYSOFA_ATTRIBUTE *attributes, const char *name, char text[HeadReader_textBytes]) {
  for (; attributes; attributes = attributes->next) {
    if (!attributes->name || !attributes->value || strcmp(attributes->name, name) != 0) continue;
    strncpy(text, attributes->value, HeadReader_textBytes - 1);
    return;
  }
}

static void sendNumbers(const struct MYSOFA_ARRAY *array) {
  for (size_t sent = 0; sent < array->elements;) {
    size_t count = array->elements - sent;
    if (count > HeadReader_pieceCount) count = HeadReader_pieceCount;
    sendMessage(array->values + sent, count * sizeof(float));
    sent += count;
  }
}

int main(void) {
  size_t byteCount;
  char *bytes = wholeFile(&byteCount);
  int error = MYSOFA_OK;
  struct MYSOFA_HRTF *hrtf = mysofa_load_data(bytes, byteCount, &error);
  if (!hrtf) refuse(error, "");
  struct HeadReader_Header header = {
      .kind = HeadReader_table, .dimensions = {hrtf->I, hrtf->C, hrtf->R, hrtf->E, hrtf->N, hrtf->M}};
  struct MYSOFA_ARRAY *arrays[HeadReader_arrayCount] = {
      &hrtf->SourcePosition, &hrtf->ListenerPosition, &hrtf->ListenerView, &hrtf->ListenerUp,
      &hrtf->ReceiverPosition, &hrtf->DataSamplingRate, &hrtf->DataDelay, &hrtf->DataIR};
  for (int index = 0; index < HeadReader_arrayCount; index++) {
    if (!arrays[index]->values) arrays[index]->elements = 0;
    header.counts[index] = arrays[index]->elements;
    copyAttribute(arrays[index]->attributes, "Type", header.types[index]);
    copyAttribute(arrays[index]->attributes, "Units", header.units[index]);
  }
  copyAttribute(hrtf->attributes, "SOFAConventions", header.texts[0]);
  copyAttribute(hrtf->attributes, "DataType", header.texts[1]);
  sendMessage(&header, sizeof header);
  for (int index = 0; index < HeadReader_arrayCount; index++) sendNumbers(arrays[index]);
  _exit(0);
}
