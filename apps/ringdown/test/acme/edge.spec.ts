import { freePort } from '@ringdown/embedded';
import { eventually } from '@ringdown/testing/eventually';
import { Pebble } from '@ringdown/testing/servers/pebble';
import { ProxyProgram } from '@ringdown/testing/servers/proxy-program';
import { Started } from '@ringdown/testing/started';
import { jest } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { connect } from 'node:tls';

jest.setTimeout(180_000);

/** Compiled, this file is in `apps/ringdown/dist/test/acme`. */
const DEPLOYED = readFileSync(join(import.meta.dirname, '../../../../..', 'deploy/edge/Caddyfile'), 'utf8');
const HOST = 'uc.example.org';

describe('the edge of Compose', () => {
  const started = new Started();
  afterAll(() => started.stopAll());

  it.each([
    ['443', 'leads'],
    ['80', 'does not lead'],
  ])('has the certificate of an authority that looks at port %s (port 443 %s here)', async (looksAt) => {
    const ports = { [8443]: await freePort(), [8088]: await freePort(), [2020]: await freePort() };
    const nowhere = await freePort();
    const [tlsPort, httpPort] = looksAt === '443' ? [ports[8443], nowhere] : [nowhere, ports[8088]];
    const authority = started.add(await Pebble.start({ httpPort, tlsPort }));
    const config = Object.entries(ports).reduce((text, [from, to]) => text.replaceAll(from, String(to)), DEPLOYED);
    const env = {
      EDGE_HOSTS: HOST,
      EDGE_TLS: 'admin@example.org',
      EDGE_ACME_DIRECTORY: authority.directory,
      HSTS_SECONDS: '300',
      // What the image trusts.
      SSL_CERT_FILE: authority.caFile,
    };
    started.add(await ProxyProgram.start({ command: 'caddy', config, port: ports[8443], env }));
    const ca = await authority.root();
    const found = await eventually('the certificate', async () => {
      const socket = connect({ host: '127.0.0.1', port: ports[8443], servername: HOST, ca });
      try {
        await once(socket, 'secureConnect');
        return socket.getPeerX509Certificate();
      } catch {
        return undefined;
      } finally {
        socket.destroy();
      }
    });
    expect(found.checkHost(HOST)).toBe(HOST);
  });
});
