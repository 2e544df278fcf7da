// A program in the namespace of a phone: gets the packets for its media ports (iptables REDIRECT) and passes them on late.
import { createSocket } from 'node:dgram';
import { argv, stdout } from 'node:process';

/** Between a media port and the port of the relay for it. */
export const RELAY_OFFSET = 10_000;
/** Each tenth RTP packet arrives after the next two, which follow 20 and 40 ms later. */
const REORDERED = 10;
const REORDERED_BY_MS = 50;

function relay(address: string, port: number, delayMs: number): Promise<void> {
  const socket = createSocket('udp4');
  const isRtp = port % 2 === 0;
  let packets = 0;
  socket.on('message', (bytes) => {
    const isReordered = isRtp && ++packets % REORDERED === 0;
    setTimeout(() => socket.send(bytes, port, address), delayMs + (isReordered ? REORDERED_BY_MS : 0));
  });
  return new Promise((resolve) => socket.bind(port + RELAY_OFFSET, resolve));
}

const [, program = '', address = '', first = '', last = '', delayMs = ''] = argv;
if (program === import.meta.filename) {
  const ports = Array.from({ length: Number(last) - Number(first) + 1 }, (_, n) => Number(first) + n);
  await Promise.all(ports.map((port) => relay(address, port, Number(delayMs))));
  stdout.write('ready\n');
}
