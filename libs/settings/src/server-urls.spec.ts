import { readSettings, serverUrls, setting } from './index.js';

describe('a setting that names servers', () => {
  it.each([
    ['nats://one', ['nats://one']],
    ['nats://u:p@one:1,two:2', ['nats://u:p@one:1', 'nats://u:p@two:2']],
    ['nats://u:p@one:1, nats://u:p@two:2', ['nats://u:p@one:1', 'nats://u:p@two:2']],
    ['nats://u:p@one,nats://two', ['nats://u:p@one', 'nats://u:p@two']],
    ['tls://[::1]:1,[::2]:2', ['tls://[::1]:1', 'tls://[::2]:2']],
    ['postgres://u:a,b@one,two:2/d?x=1,2', ['postgres://u:a,b@one/d?x=1,2', 'postgres://u:a,b@two:2/d?x=1,2']],
  ])('lists those of %s', (text, urls) => {
    expect(serverUrls(text)).toEqual(urls);
  });

  it.each([
    ['nats://one,', 'must be a URL'],
    ['nats://one,,two', 'must be a URL'],
    ['nats://one:x,two', 'must be a URL'],
    ['one,two', 'must be a URL'],
    ['nats://one,tls://two', 'must name servers with the same scheme, user and path'],
    ['nats://a:b@one,nats://c:d@two', 'must name servers with the same scheme, user and path'],
    [`nats://${'a,'.repeat(20)}a`, 'must name at most 16 servers'],
  ])('rejects %s', (text, reason) => {
    expect(() => serverUrls(text)).toThrow(reason);
  });

  it('keeps the text, and does not show it in a problem', () => {
    const fields = { bus: setting.servers('BUS', ['nats', 'tls'], { task: 'operation', about: '', secret: true }) };
    expect(readSettings(fields, { BUS: 'nats://a:1,b:2' })).toEqual({ bus: 'nats://a:1,b:2' });
    expect(() => readSettings(fields, { BUS: 'http://u:hush@a,b' })).toThrow(
      /^BUS must be a URL like nats:\/\/… or tls:\/\/…$/,
    );
    expect(() => readSettings(fields, { BUS: 'nats://a:hush@b,tls://c' })).toThrow(
      /^BUS must name servers with the same scheme, user and path$/,
    );
  });
});
