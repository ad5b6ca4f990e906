"""An origin on every loopback address: /KIND/NUMBER gives the picture of a kind, each number another."""
import asyncio, sys

from pictures import head_and_tail, make

class Origin:
    def __init__(self, folder):
        self.bodies = {}
        for name, (path, _) in make(folder).items():
            with open(path, "rb") as file:
                self.bodies[name] = memoryview(file.read())

    async def serve(self, reader, writer):
        try:
            while line := await reader.readline():
                while (await reader.readline()).strip():
                    pass
                self.answer(line.split()[1].decode(), writer)
                await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    def answer(self, path, writer):
        _, kind, number = path.split("/")
        body = self.bodies[kind]
        mark = b"%08d" % int(number)
        head, rest = head_and_tail(bytes(body[:64]), int(number))
        parts = [head, body[rest:]] if head else [body, mark]
        length = sum(len(part) for part in parts)
        writer.write(
            f"HTTP/1.1 200 OK\r\nContent-Type: image/jpeg\r\nContent-Length: {length}\r\n"
            "Cache-Control: max-age=3600\r\n\r\n".encode())
        for part in parts:
            writer.write(part)

async def main():
    origin = Origin(sys.argv[1])
    server = await asyncio.start_server(origin.serve, "0.0.0.0", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()

if __name__ == "__main__":
    asyncio.run(main())
