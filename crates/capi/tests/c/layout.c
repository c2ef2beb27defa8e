/* Sizes and offsets as the C compiler has them, for comparison with Rust's. */

#include "stairway.h"
#include <stdio.h>

#define SIZE(type) printf("%s %zu\n", #type, sizeof(type))
#define AT(type, member) printf("%s.%s %zu\n", #type, #member, offsetof(type, member))

int main(void)
{
    SIZE(sw_generator); SIZE(sw_real_range); SIZE(sw_array); SIZE(sw_argument); SIZE(sw_statistic);
    SIZE(sw_property); SIZE(sw_demand); SIZE(sw_set); SIZE(sw_settings); SIZE(sw_report);
    SIZE(sw_verdict); SIZE(sw_result);
    AT(sw_generator, n_choices); AT(sw_property, arguments); AT(sw_property, weight);
    AT(sw_set, reset); AT(sw_set, n_demands);
    AT(sw_settings, seed); AT(sw_settings, json); AT(sw_settings, statistics); AT(sw_settings, guard);
    AT(sw_settings, panic);
    AT(sw_report, failed_line); AT(sw_report, is_minimal); AT(sw_report, new_transition_chance);
    return 0;
}
