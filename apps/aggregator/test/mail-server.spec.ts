import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createTransport } from 'nodemailer';
import { MailServer } from './mail-server.js';

describe('the mail server of tests', () => {
  let folder: string;
  let server: MailServer;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'ringdown-mail-'));
    server = await MailServer.create({ folder, password: 'password of this test' });
  });
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('waits for its port while another program has it', async () => {
    const other = createServer((socket) => socket.resume()).listen(server.port, '127.0.0.1');
    await once(other, 'listening');
    const started = server.start().then(() => 'started');
    expect(await Promise.race([started, setTimeout(3_000, 'waiting')])).toBe('waiting');
    other.close();
    expect(await started).toBe('started');
    const transport = createTransport({ host: '127.0.0.1', port: server.port, secure: false, ignoreTLS: true });
    await transport.sendMail({ from: 'a@example.test', to: 'b@example.test', text: 'x' });
    expect(server.accepted).toHaveLength(1);
  });

  it('is one process, however often it is started and stopped', async () => {
    await Promise.all([server.start(), server.start()]);
    await server.start();
    await Promise.all([server.stop(), server.stop()]);
    const free = createServer().listen(server.port, '127.0.0.1');
    await once(free, 'listening');
    expect(free.address()).toMatchObject({ port: server.port });
    free.close();
  });
});
