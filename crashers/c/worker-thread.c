/* SPDX-License-Identifier: Apache-2.0 */
/* A pool of workers, one of which is handed a job with no data. */
#include <pthread.h>
#include <stdio.h>

struct job {
    int number;
    const int *data;
};

__attribute__((noinline)) static int sum_data(const struct job *job) {
    const volatile int *data = job->data;
    return data[0] + data[1];
}

__attribute__((noinline)) static int run_job(struct job *job) {
    int sum = sum_data(job);
    return sum + job->number;
}

static void *worker_main(void *argument) {
    struct job *job = argument;
    job->number = run_job(job);
    return argument;
}

int main(void) {
    static const int data[2] = {1, 2};
    struct job jobs[2] = {{1, data}, {2, NULL}};
    pthread_t workers[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&workers[i], NULL, worker_main, &jobs[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(workers[i], NULL);
    printf("%d %d\n", jobs[0].number, jobs[1].number);
    return 0;
}
