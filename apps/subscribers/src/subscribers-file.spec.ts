import { parseSubscribers } from './subscribers-file.js';

const minimal = { name: 'nms', submituri: 'https://nms.example.test/sdn' };

function parse(...subscribers: unknown[]): ReturnType<typeof parseSubscribers> {
  return parseSubscribers(JSON.stringify({ subscribers }), true);
}

describe('the subscribers file', () => {
  it('requires only a name and an address', () => {
    const { subscriptions, problems } = parse(minimal);
    expect(problems).toEqual([]);
    expect(subscriptions).toMatchObject([
      { ...minimal, send: 'records', outputschema: 'D', quality: 'true', signaling: 'false', hidepii: 'true' },
    ]);
  });

  it('has the defaults of known senders (diagnostics-feed.md, 4.2), except for the queue, which is the bus', () => {
    const { subscriptions } = parse(minimal);
    expect(subscriptions).toMatchObject([
      {
        domainfilters: undefined,
        subnetfilters: undefined,
        tenantfilters: undefined,
        trunkfilters: undefined,
        sendrawsdp: 'false',
        schemaextension: 'true',
        obfuscationseed: undefined,
        maxopen: 100,
        submitqueuelen: 100_000,
        maxretry: 100,
        maxdelaylimit: 5,
        maxbackoff: 30,
      },
    ]);
  });

  it('accepts lists, numbers and booleans as in JSON, and as in known senders', () => {
    const { subscriptions, problems } = parse({
      ...minimal,
      domainfilters: ['example.test', 'example.com'],
      subnetfilters: '192.0.2.0/24, 2001:db8::/32',
      maxopen: 4,
      quality: false,
      signaling: 'True',
    });
    expect(problems).toEqual([]);
    expect(subscriptions).toMatchObject([
      {
        domainfilters: ['example.test', 'example.com'],
        subnetfilters: [{ address: '192.0.2.0' }, { address: '2001:db8::' }],
        maxopen: 4,
        quality: 'false',
        signaling: 'true',
      },
    ]);
  });

  it.each<[string, unknown, string]>([
    ['no address', { name: 'a' }, 'subscribers[0]: submituri is not set: Where to post'],
    ['an address for one on the bus', { ...minimal, via: 'bus' }, 'submituri is not allowed with via bus'],
    ['an unknown way', { ...minimal, via: 'post' }, 'subscribers[0]: via'],
    ['an invalid address', { ...minimal, submituri: 'nms' }, 'submituri must be a URL like'],
    ['a wrong version', { ...minimal, outputschema: 'B' }, 'outputschema must be one of D, C, 1.0, not "B"'],
    ['an unknown setting', { ...minimal, maxopenn: 1 }, 'maxopenn is unknown'],
    ['a wrong number', { ...minimal, maxopen: 0 }, 'maxopen must be a whole number from 1 to 1000, not "0"'],
    ['a wrong network', { ...minimal, subnetfilters: '192.0.2.0/33' }, 'subnetfilters must be'],
    [
      'an object for a text',
      { ...minimal, domainfilters: { a: 1 } },
      'domainfilters must be a text, a number or a list',
    ],
    ['half a certificate', { ...minimal, clientkey: 'k.pem' }, 'clientcertificate and clientkey belong together'],
    ['a short seed', { ...minimal, obfuscationseed: 'abc' }, 'obfuscationseed needs at least 16 characters'],
    ['a name with blanks', { ...minimal, name: 'a b' }, 'name must consist of 1 to 32 letters, digits and hyphens'],
    ['no object', 7, 'subscribers[0]: must be an object'],
  ])('rejects %s with a message', (_what, subscriber, problem) => {
    const { problems } = parse(subscriber);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(problem);
  });

  it('reports all problems at once, without secrets', () => {
    const { problems } = parse({ name: 'a', submituri: 'user:secret', maxopen: 'x' }, { ...minimal }, { ...minimal });
    expect(problems).toHaveLength(3);
    expect(problems[2]).toBe('subscribers[2]: name nms is used twice');
    expect(problems.join(' ')).not.toContain('secret');
  });

  it('rejects hiding users without a seed', () => {
    expect(parseSubscribers(JSON.stringify({ subscribers: [minimal] }), false).problems).toEqual([
      'subscribers[0]: obfuscationseed is not set, nor IDENTITY_SEED; one of them is needed to hide users',
    ]);
    const open = { ...minimal, hidepii: 'False' };
    expect(parseSubscribers(JSON.stringify({ subscribers: [open] }), false).problems).toEqual([]);
  });

  it.each([
    ['{', 'is not JSON'],
    ['[]', 'must contain an object with a list "subscribers"'],
    ['{"subscribers":{}}', 'must contain an object with a list "subscribers"'],
  ])('refuses %j', (text, problem) => {
    expect(parseSubscribers(text, true).problems).toEqual([problem]);
  });
});
