import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const PROGRAM = fileURLToPath(new URL('probe-process.js', import.meta.url));

describe('a probe of the bus', () => {
  it('does not take a lack of descriptors of its own process for silence', async () => {
    const silent = createServer((socket) => socket.on('error', () => undefined)).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const address = silent.address();
    const port = String(typeof address === 'object' ? address?.port : undefined);
    const run = promisify(execFile);
    const { stdout } = await run('sh', ['-c', 'ulimit -n 64; exec "$0" "$@"', process.execPath, PROGRAM, port]);
    silent.close();
    expect(JSON.parse(stdout)).toEqual({
      before: 'silent',
      without: { couldNotLook: expect.stringContaining('EMFILE') },
    });
  });
});
