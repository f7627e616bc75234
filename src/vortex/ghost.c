#include "vortex/scoreboard.h"
const struct vx_issue_ops vx_issue_ghost={.name="ghost"};
