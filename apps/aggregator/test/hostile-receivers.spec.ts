import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { postJson, type Delivery } from '../src/alerts/delivery/post-json.js';

const MEGABYTE = 'x'.repeat(1_000_000);
const OK = 'HTTP/1.1 200 OK\r\n';
/** For receivers that are not to meet the time limit, on the busiest machine. */
const PATIENT_MS = 60_000;
const SHORT_MS = 500;

/** Writes a piece again and again, as fast as the client reads it. */
function flood(socket: Socket, piece: string): void {
  const write = (): void => {
    while (!socket.destroyed && socket.write(piece));
  };
  socket.on('drain', write);
  write();
}

/** A byte each 100 ms. */
function drip(socket: Socket, text: string): void {
  let at = 0;
  const timer = setInterval(() => socket.write(text[at++ % text.length] ?? ''), 100);
  socket.on('close', () => clearInterval(timer));
}

const late = { ok: false, reason: 'no reply within the time limit', failure: { code: 'no-reply', detail: null } };

describe('a delivery to a hostile receiver', () => {
  let server: Server | undefined;
  const sockets: Socket[] = [];

  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
    server?.close();
  });

  /** Returns the delivery, and waits until the client has closed the connection. */
  async function deliveryTo(reply: (socket: Socket) => void, timeoutMs = PATIENT_MS): Promise<Delivery> {
    const closed: Promise<unknown>[] = [];
    server = createServer((socket) => {
      sockets.push(socket);
      closed.push(new Promise((resolve) => socket.on('close', resolve)));
      socket.on('error', () => undefined);
      socket.once('data', () => reply(socket));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server that listens on TCP has such an address
    const { port } = server.address() as AddressInfo;
    const delivery = await postJson(new URL(`http://127.0.0.1:${port}/`), '{}', { headers: {}, timeoutMs });
    await Promise.all(closed);
    return delivery;
  }

  it('succeeds by the status and closes the connection, however long the body is', async () => {
    const reply = (socket: Socket): void => {
      socket.write(`${OK}Content-Length: 10000000000\r\n\r\n`);
      flood(socket, MEGABYTE);
    };
    expect(await deliveryTo(reply)).toEqual({ ok: true });
  });

  it.each([
    ['headers without end', (socket: Socket) => socket.write(OK) && flood(socket, 'X-More: 0123456789\r\n')],
    ['one header without end', (socket: Socket) => socket.write(`${OK}X-More: `) && flood(socket, MEGABYTE)],
  ])('fails after 16 KiB of %s', async (_case, reply) => {
    expect(await deliveryTo(reply)).toEqual({
      ok: false,
      reason: 'the receiver cannot be reached: HPE_HEADER_OVERFLOW',
      failure: { code: 'unreachable', detail: 'HPE_HEADER_OVERFLOW' },
    });
  });

  it.each([
    ['replies one byte at a time', (socket: Socket) => drip(socket, `${OK}X-More: 0123456789\r\n`)],
    ['sends interim responses without end', (socket: Socket) => flood(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n')],
  ])('ends with the time limit when it %s', async (_case, reply) => {
    expect(await deliveryTo(reply, SHORT_MS)).toEqual(late);
  });

  it.each([
    [
      'changes the protocol',
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\nx',
      'replied with 101',
    ],
    ['closes the connection after half a status line', 'HTTP/1.1 20', 'cannot be reached'],
    ['closes the connection without a reply', '', 'cannot be reached'],
  ])('fails when it %s', async (_case, text, reason) => {
    const delivery = await deliveryTo((socket) => socket.end(text));
    expect(delivery).toMatchObject({ ok: false, reason: expect.stringContaining(reason) });
  });
});
