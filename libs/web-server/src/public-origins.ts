import { setting, type Setting } from '@ringdown/settings';

/**
 * The origins under which clients reach the web interface. Absolute URLs always start with one of them: the `Host` of a
 * request only selects among them, because the client can set it to any text.
 */
export class PublicOrigins {
  private readonly byHost: ReadonlyMap<string, string>;
  private readonly hostnames: ReadonlyMap<string, string>;

  constructor(
    readonly first: string,
    ...others: readonly string[]
  ) {
    const origins = [first, ...others];
    this.byHost = new Map(origins.map((origin) => [new URL(origin).host, origin]));
    this.hostnames = new Map(origins.map((origin) => [origin, new URL(origin).hostname]));
  }

  get all(): readonly string[] {
    return [...this.byHost.values()];
  }

  /** The origin that matches the `Host` of a request, or else the first. */
  forHost(host: string): string {
    return this.byHost.get(host.toLowerCase().replace(/:(443|80)$/, '')) ?? this.first;
  }

  /** The host name of that origin, without a port. */
  hostnameFor(host: string): string {
    return this.hostnames.get(this.forHost(host)) ?? '';
  }
}

const one = setting.origin('PUBLIC_ORIGIN', {
  task: 'addresses',
  about:
    'What absolute URLs start with: the address under which clients reach the web interface. Of several, ' +
    'comma-separated, a request gets the one that it was sent to, else the first',
});

/** The setting; `fallback` is used when it is left out. */
export function publicOriginsSetting(fallback: string): Setting<PublicOrigins> {
  return {
    ...one,
    allowed: 'https://host[:port], comma-separated',
    fallback: new PublicOrigins(fallback),
    shownDefault: fallback,
    required: false,
    parse: (text) => {
      const [first = '', ...others] = text.split(',').map((item) => one.parse(item.trim()));
      return new PublicOrigins(first, ...others);
    },
  };
}

export const publicOriginSettings = { publicOrigins: publicOriginsSetting('https://localhost:8443') };
