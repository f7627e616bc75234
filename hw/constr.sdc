set_driving_cell BUFX2
set_load 0.02 [all_outputs]
