import { exifBlock, jpegWith, SMALL_JPEG } from '@ringdown/testing/small-photos';
import { X509Certificate } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TlsConnection } from '../../src/tls-connection.js';
import { system } from './system.js';

async function rawAnswer(sent: string): Promise<string> {
  const connection = await TlsConnection.open({ port: system.port, ca: system.ca });
  await connection.send(sent);
  const answer = await connection.answer(/\r\n\r\n/);
  connection.end();
  return answer;
}

describe('a browser', () => {
  it.each(['/', '/console/', '/uc/discovery/user', '/api/calls', '/nothing', '/%zz'])(
    'receives Strict-Transport-Security with %s over HTTPS, and only there',
    async (path) => {
      const { headers } = await system.client.request(path);
      expect(headers['strict-transport-security']).toBe('max-age=300');
      const plain = await fetch(`http://127.0.0.1:${system.httpPort}${path}`, { redirect: 'manual' });
      expect(plain.headers.get('strict-transport-security')).toBeNull();
    },
  );

  it.each([
    'HELLO\r\n\r\n',
    'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: a\r\nExpect: x\r\n\r\n',
  ])('receives it with the response to %j, too', async (sent) => {
    expect(await rawAnswer(sent)).toMatch(/^HTTP\/1\.1 4\d\d .*\r\nStrict-Transport-Security: max-age=300\r\n/s);
  });

  it('gets no access from a page of an origin that is not configured, whatever the host is called', async () => {
    const { port } = system;
    const foreign = [
      ['evil.test', 'https://evil.test'],
      [`evil.test:${port}`, `https://evil.test:${port}`],
      [`localhost:${port}`, `http://localhost:${port}`],
      [`localhost:${port}`, 'null'],
      [`localhost:${port}`, 'https://localhost'],
    ];
    for (const [host, origin] of foreign) {
      const answer = await rawAnswer(`GET / HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${origin}\r\n\r\n`);
      expect([origin, answer.slice(0, 12)]).toEqual([origin, 'HTTP/1.1 403']);
      expect(answer).not.toMatch(/access-control-allow-origin/i);
    }
    for (const host of ['localhost', '127.0.0.1', '[::1]']) {
      const origin = `https://${host}:${port}`;
      const answer = await rawAnswer(`GET / HTTP/1.1\r\nHost: ${host}:${port}\r\nOrigin: ${origin}\r\n\r\n`);
      expect([origin, answer.slice(0, 12)]).toEqual([origin, 'HTTP/1.1 200']);
    }
  });

  it('cannot be deceived with another host name by the self-made certificate', () => {
    const certificate = new X509Certificate(system.ca);
    expect(certificate.ca).toBe(false);
    expect(certificate.checkHost('evil.test')).toBeUndefined();
  });

  it('receives a photo without the location where it was taken', async () => {
    const photo = jpegWith([0xe1, Buffer.concat([Buffer.from('Exif\0\0'), exifBlock(1, '52.5 N 13.4 E')])]);
    mkdirSync(join(system.data, 'photos'));
    writeFileSync(join(system.data, 'photos', 'alice@example.test.jpg'), photo);
    const token = await system.client.signIn('alice');
    const made = await system.client.as(token, '/uc/v1/applications', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ culture: 'en', endpointId: 'photo', userAgent: 'Test/1' }),
    });
    const [, path = ''] = /"photo":\{"href":"([^"]+)"/.exec(made.text) ?? [];
    const shown = await system.client.as(token, path);
    expect([shown.status, shown.headers['content-length']]).toEqual([200, String(SMALL_JPEG.length)]);
    expect(shown.text).not.toContain('52.5');
  });
});

describe('the first passwords', () => {
  it('are in no journal: output that is not a terminal contains only the name of their file', () => {
    const { stdout, stderr } = system.process;
    const users: { password: string }[] = JSON.parse(readFileSync(join(system.data, 'first-users.json'), 'utf8'));
    expect(users).toHaveLength(3);
    for (const { password } of users) expect(stdout() + stderr()).not.toContain(password);
    expect(stdout()).toContain(join(system.data, 'first-users.json'));
  });
});
