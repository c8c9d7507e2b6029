# SPDX-License-Identifier: Apache-2.0
"""What a program exchanges with: an HTTP server, a WebSocket server and a TCP server, on loopback.

    network_server.py

Prints `http PORT`, `websocket PORT`, `socket PORT` and `ready`; then a line `METHOD PATH BYTES-OF-BODY` for each request as it comes.
WebSocket and TCP give back what they get; a text `close` has the WebSocket closed with 1000.
"""

import asyncio

from aiohttp import web
from websockets.asyncio.server import serve


async def note(request):
    body = await request.read()
    print(request.method, request.path, len(body), flush=True)
    return body


async def echo(request):
    body = await note(request)
    return web.Response(body=request.method.encode() + b" " + body, headers={"Set-Cookie": "secret=1", "X-Plain": "yes"})


async def status(request):
    await note(request)
    return web.Response(status=int(request.match_info["status"]), text="as asked")


async def redirect(request):
    await note(request)
    raise web.HTTPFound("/echo")


async def chunked(request):
    await note(request)
    response = web.StreamResponse()
    await response.prepare(request)
    for _ in range(10):
        await response.write(b"x" * 1000)
    await response.write_eof()
    return response


async def onward(request):
    await note(request)
    headers = {"Location": "/elsewhere?token=secret#secret", "Content-Location": "http://me:secret@host/x?secret"}
    return web.Response(status=201, text="made", headers=headers)


async def guarded(request):
    await note(request)
    if request.headers.get("Authorization", "").startswith("Basic "):
        return web.Response(text="let in")
    return web.Response(status=401, headers={"WWW-Authenticate": 'Basic realm="here"'})


async def never(request):
    await note(request)
    await asyncio.sleep(600)


async def talk(connection):
    async for message in connection:
        if message == "close":
            await connection.close(1000, "as asked")
            return
        await connection.send(message)


async def give_back(reader, writer):
    while data := await reader.read(65536):
        writer.write(data)
        await writer.drain()
    writer.close()


async def main():
    application = web.Application(client_max_size=1 << 24)
    application.router.add_route("*", "/echo", echo)
    application.router.add_route("*", "/status/{status}", status)
    application.router.add_route("*", "/redirect", redirect)
    application.router.add_route("*", "/chunked", chunked)
    application.router.add_route("*", "/onward", onward)
    application.router.add_route("*", "/guarded", guarded)
    application.router.add_route("*", "/never", never)
    runner = web.AppRunner(application, handler_cancellation=True)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    print("http", site._server.sockets[0].getsockname()[1], flush=True)
    websocket = await serve(talk, "127.0.0.1", 0)
    print("websocket", list(websocket.sockets)[0].getsockname()[1], flush=True)
    socket = await asyncio.start_server(give_back, "127.0.0.1", 0)
    print("socket", socket.sockets[0].getsockname()[1], flush=True)
    print("ready", flush=True)
    await asyncio.Event().wait()


asyncio.run(main())
