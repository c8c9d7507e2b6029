/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tells the thread sanitizer of Swift's Mutex. Its fast paths are built into the program, and so seen; the slow ones, of a
 * mutex that several threads want, are in a library that was built without the sanitizer, and stand in their place here.
 */
#ifndef VAKA_MUTEX_OBSERVER_H
#define VAKA_MUTEX_OBSERVER_H
#endif
