/* pipeline.h - what a pipeline must know of an instruction; see pipeline.c. */
#ifndef LENO_SASS_PIPELINE_H
#define LENO_SASS_PIPELINE_H

#include "frontend/sass/decode/decode.h"

/* Adds a general register operand; slot as operand_reuse() says. */
void pipeline_operand(struct sass_inst *i, const struct operand *o, unsigned slot);

/* Class, flags and length; the operands are in place. */
void pipeline_facts(struct sass_inst *i);

#endif
