import { misspelledSettings, readSettings, setting, settingsTable, SettingsError } from './index.js';

const fields = {
  port: setting.port('PORT', { task: 'addresses', default: 8443, about: 'HTTPS port' }),
  natsUrl: setting.url('NATS_URL', ['nats', 'tls'], { task: 'bus', about: 'message bus', secret: true }),
  domains: setting.domains('SIP_DOMAINS', { task: 'addresses', default: ['example.test'], about: 'domains served' }),
  level: setting.choice('LOG_LEVEL', ['info', 'debug'], {
    task: 'operation',
    default: 'info',
    about: 'least severe line',
  }),
  origin: setting.optional(
    setting.origin('PUBLIC_ORIGIN', { task: 'addresses', about: 'what absolute URLs start with' }),
  ),
};

function settingsProblems(env: Record<string, string>): readonly string[] {
  try {
    readSettings(fields, env);
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
  return [];
}

describe('settings', () => {
  it('become typed values, with defaults for missing or blank variables', () => {
    expect(
      readSettings(fields, { NATS_URL: 'nats://bus:4222', SIP_DOMAINS: 'a.test, b.test', LOG_LEVEL: ' ' }),
    ).toEqual({
      port: 8443,
      natsUrl: 'nats://bus:4222',
      domains: ['a.test', 'b.test'],
      level: 'info',
      origin: undefined,
    });
  });

  it('report all problems at once', () => {
    expect(settingsProblems({ PORT: '70000', LOG_LEVEL: 'loud', PUBLIC_ORIGIN: 'https://a.test/path' })).toEqual([
      'PORT must be a whole number from 0 to 65535, not "70000"',
      'NATS_URL is not set: message bus',
      'LOG_LEVEL must be one of info, debug, not "loud"',
      'PUBLIC_ORIGIN must be an origin like https://uc.example.test, not "https://a.test/path"',
    ]);
  });

  it.each(['-a.test', 'a..test', 'a.test.', 'https://a.test', 'sip:a@b.test', 'bücher.test', 'a b', 'a.test,'])(
    'reject the domain %s',
    (domain) => {
      const [problem] = settingsProblems({ NATS_URL: 'nats://bus', SIP_DOMAINS: domain });
      expect(problem).toMatch(/^SIP_DOMAINS must be /);
    },
  );

  it.each([
    '192.0.2',
    '192.0.2.0/33',
    '2001:db8::/129',
    '192.0.2.0/',
    '192.0.2.0/8/8',
    '192.0.2.0/-1',
    'host',
    'fe80::1%1/x',
  ])('reject the network %s', (network) => {
    const read = (): unknown =>
      readSettings({ allow: setting.networks('ALLOW', { task: 'operation', about: '' }) }, { ALLOW: network });
    expect(read).toThrow('ALLOW must be addresses or networks like 192.0.2.1');
  });

  it('accept addresses and networks of IPv4 and IPv6', () => {
    const { allow } = readSettings(
      { allow: setting.networks('ALLOW', { task: 'operation', about: '' }) },
      { ALLOW: '192.0.2.1, 10.0.0.0/8, 2001:db8::/32, ::1' },
    );
    expect(allow).toEqual([
      { address: '192.0.2.1', prefix: 32, family: 'ipv4' },
      { address: '10.0.0.0', prefix: 8, family: 'ipv4' },
      { address: '2001:db8::', prefix: 32, family: 'ipv6' },
      { address: '::1', prefix: 128, family: 'ipv6' },
    ]);
  });

  it('never show a secret in a message', () => {
    expect(settingsProblems({ NATS_URL: 'http://user:hush@bus' })).toEqual([
      'NATS_URL must be a URL like nats://… or tls://…',
    ]);
  });

  it('detect a misspelled name', () => {
    const known = Object.values(fields).map((field) => field.env);
    expect(misspelledSettings(known, { SIP_DOMAIN: 'a.test', NATS_ULR: 'x', PATH: '/bin', LOG_LEVEL: 'info' })).toEqual(
      ['SIP_DOMAIN is not a setting; did you mean SIP_DOMAINS?', 'NATS_ULR is not a setting; did you mean NATS_URL?'],
    );
  });

  it('detect one mistake in a short name, but ignore names of other programs', () => {
    expect(misspelledSettings(['PORT'], { PORTT: '1', POTR: '2', SORT: 'x', EXPORT: 'x', PORT: '8443' })).toEqual([
      'PORTT is not a setting; did you mean PORT?',
      'POTR is not a setting; did you mean PORT?',
    ]);
  });

  it('ignore names that systemd sets for a service, however near to a setting', () => {
    const env = { CACHE_DIRECTORY: '/var/cache/ringdown', STATE_DIRECTORY: '/var/lib/ringdown', ACME_DIRECTRY: 'x' };
    expect(misspelledSettings(['ACME_DIRECTORY', 'STATS_DIRECTORY'], env)).toEqual([
      'ACME_DIRECTRY is not a setting; did you mean ACME_DIRECTORY?',
    ]);
  });

  it('are one table row each, with all services that read them, by program and by task', () => {
    const table = settingsTable([
      { service: 'one', fields: { port: fields.port } },
      { service: 'two', fields: { port: fields.port, natsUrl: fields.natsUrl } },
    ]);
    expect(table).toContain('| `PORT` | HTTPS port | 0..65535 | `8443` | one, two |');
    expect(table).toContain('| `NATS_URL` | message bus | nats://… or tls://… | (required) | two |');
    // Those of several programs first, each below its task.
    expect(table.split('\n').filter((line) => /^#|^\| `/.test(line))).toEqual([
      '## Several programs',
      '### Addresses and ports',
      expect.stringContaining('`PORT`'),
      '## `two`',
      '### Message bus',
      expect.stringContaining('`NATS_URL`'),
    ]);
  });
});
