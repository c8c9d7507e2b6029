// SPDX-License-Identifier: Apache-2.0
// Resizes pictures on a queue of its own; one of them is empty.
import Dispatch

struct Picture {
    var width: Int
    var pixels: [UInt8]
}

@inline(never)
func average(_ sum: Int, _ count: Int) -> Int {
    return sum / count
}

@inline(never)
func averageBrightness(_ picture: Picture) -> Int {
    var sum = 0
    for pixel in picture.pixels {
        sum += Int(pixel)
    }
    return average(sum, picture.pixels.count) + picture.width
}

@inline(never)
func thumbnail(_ picture: Picture) -> Picture {
    let brightness = averageBrightness(picture)
    return Picture(width: 1, pixels: [UInt8(brightness)])
}

@inline(never)
func thumbnails(_ pictures: [Picture]) -> [Picture] {
    var result: [Picture] = []
    for picture in pictures {
        result.append(thumbnail(picture))
    }
    return result
}

let queue = DispatchQueue(label: "thumbnails")
let done = DispatchSemaphore(value: 0)
queue.async {
    let pictures = [Picture(width: 2, pixels: [1, 3]), Picture(width: 0, pixels: [])]
    print("made \(thumbnails(pictures).count)")
    done.signal()
}
done.wait()
