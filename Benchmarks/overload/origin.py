"""An origin on every loopback address: /KIND/NUMBER gives the picture of a kind, each number another.

With a round trip, those on 127.0.0.0/24 are as slow as far ones (`far`): a loopback has no distance,
and not every kernel can give it one."""
import asyncio, sys

from far import FarConnection
from pictures import head_and_tail, make

class Origin:
    def __init__(self, folder, round_trip):
        self.bodies, self.round_trip = {}, round_trip
        for name, (path, _) in make(folder).items():
            with open(path, "rb") as file:
                self.bodies[name] = memoryview(file.read())

    async def serve(self, reader, writer):
        is_far = self.round_trip and writer.get_extra_info("sockname")[0].startswith("127.0.0.")
        far = FarConnection(writer, self.round_trip) if is_far else None
        try:
            while line := await reader.readline():
                while (await reader.readline()).strip():
                    pass
                parts = self.answer(line.split()[1].decode())
                if far:
                    await far.send(parts)
                else:
                    for part in parts:
                        writer.write(part)
                    await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    def answer(self, path):
        _, kind, number = path.split("/")
        body = self.bodies[kind]
        mark = b"%08d" % int(number)
        head, rest = head_and_tail(bytes(body[:64]), int(number))
        parts = [head, body[rest:]] if head else [body, mark]
        length = sum(len(part) for part in parts)
        return [
            f"HTTP/1.1 200 OK\r\nContent-Type: image/jpeg\r\nContent-Length: {length}\r\n"
            "Cache-Control: max-age=3600\r\n\r\n".encode(), *parts]

async def main():
    origin = Origin(sys.argv[1], float(sys.argv[2]) / 1000)
    server = await asyncio.start_server(origin.serve, "0.0.0.0", 0, backlog=512)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()

if __name__ == "__main__":
    asyncio.run(main())
