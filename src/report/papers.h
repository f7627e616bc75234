/* papers.h - the papers whose figures can be reproduced, one file each. */
#ifndef LENO_REPORT_PAPERS_H
#define LENO_REPORT_PAPERS_H

#include "report/paper.h"

extern const struct paper paper_ghost, paper_socgpu, paper_turbulence, paper_darsie,
    paper_loog_vortex, paper_results;

#endif
