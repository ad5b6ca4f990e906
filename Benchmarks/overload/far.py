"""What a distance does to a connection, as far as a receiver sees it: each window comes a round trip
after the one before it, windows begin at ten segments and double (RFC 6928, RFC 5681 §3.1), one that
has lost a segment comes a round trip later and halves the next, and after a silence they begin anew
(§4.1). A peer that takes nothing for some seconds is given up, as busy origins do."""
import asyncio, random, socket, time

SEGMENT = 1460
FIRST, MOST = 10, 640
LOSS = 0.01
# Of the sockets' own buffers little, so that a receiver that does not read is felt.
BUFFER = 32768
PATIENCE = 10

class FarConnection:
    def __init__(self, writer, round_trip):
        self.writer, self.round_trip = writer, round_trip
        self.window, self.is_new, self.sent = FIRST, True, 0.0
        writer.transport.set_write_buffer_limits(high=0)
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, BUFFER)

    async def send(self, parts):
        # The request's way and the answer's, and for a new connection its own.
        await asyncio.sleep(self.round_trip * (2 if self.is_new else 1))
        self.is_new = False
        data, place = memoryview(b"".join(parts)), 0
        while place < len(data):
            if time.monotonic() - self.sent > max(0.2, 2 * self.round_trip):
                self.window = FIRST
            window = data[place:place + self.window * SEGMENT]
            self.writer.write(window)
            await asyncio.wait_for(self.writer.drain(), PATIENCE)
            self.sent = time.monotonic()
            place += len(window)
            is_lost = random.random() > (1 - LOSS) ** (len(window) / SEGMENT)
            self.window = max(2, self.window // 2) if is_lost else min(MOST, self.window * 2)
            if place < len(data):
                await asyncio.sleep(self.round_trip * (2 if is_lost else 1))
