/* SPDX-License-Identifier: Apache-2.0 */
/* A simulation that wants to hear of divisions by zero, and has one. */
#define _GNU_SOURCE
#include <fenv.h>
#include <stdio.h>

__attribute__((noinline)) static double acceleration(volatile double *force, volatile double *mass) {
    return *force / *mass;
}

__attribute__((noinline)) static double simulate(int steps) {
    volatile double force = 9.81, mass = 2;
    double speed = 0;
    for (int i = 0; i < steps; i++, mass -= 1)
        speed += acceleration(&force, &mass);
    return speed;
}

int main(void) {
    feenableexcept(FE_DIVBYZERO);
    double speed = simulate(4);
    printf("%g\n", speed);
    return 0;
}
