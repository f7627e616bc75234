/* exec_vendor.h - the vendor's libraries that `leno exec` does not support. */
#ifndef LENO_SESSION_EXEC_VENDOR_H
#define LENO_SESSION_EXEC_VENDOR_H

/* The one in a file, as messages name it; NULL: none of them. */
const char *exec_vendor_library(const char *file);

#endif
