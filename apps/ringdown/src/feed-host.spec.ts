import { feedListenHost } from './feed-host.js';

describe('the address on which npm start opens the feed', () => {
  it.each([
    ['0.0.0.0', {}, '127.0.0.1'],
    ['192.0.2.1', {}, '127.0.0.1'],
    ['0.0.0.0', { COLLECTOR_ALLOW: '192.0.2.0/24' }, '0.0.0.0'],
    ['0.0.0.0', { COLLECTOR_CLIENT_CA: '/etc/front-ends.pem' }, '0.0.0.0'],
    ['::', { COLLECTOR_HTTPS_PORT: '8443', COLLECTOR_SENDERS: '/etc/senders.json' }, '127.0.0.1'],
    ['::1', {}, '::1'],
    ['0.0.0.0', { COLLECTOR_HOST: '192.0.2.2' }, '192.0.2.2'],
    ['127.0.0.1', { COLLECTOR_HOST: '0.0.0.0' }, '0.0.0.0'],
  ])('with LISTEN_HOST=%s and %j is %s', (listenHost, env, host) => {
    expect(feedListenHost({ listenHost }, env)).toBe(host);
  });
});
