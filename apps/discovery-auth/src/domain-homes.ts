import { errorReason } from '@ringdown/errors';
import { setting, type Setting } from '@ringdown/settings';
import { readFileSync } from 'node:fs';

/** The address of a SIP server, for native clients that support SIP as well. */
export interface SipServer {
  readonly host: string;
  readonly port: number;
}

/** The values that discovery returns only for one SIP domain. */
export interface DomainHome {
  /** Discovery URL of the other system that serves this domain; clients start again there. */
  readonly redirect?: string;
  /** The public origin that the links of this domain start with. */
  readonly origin?: string;
  readonly sipInternal?: SipServer;
  readonly sipExternal?: SipServer;
}

/** By domain, lower case. */
export type DomainHomes = ReadonlyMap<string, DomainHome>;

const readers: Readonly<Record<keyof DomainHome, (text: string) => string | SipServer>> = {
  redirect: (text) => setting.url('', ['https'], { task: 'addresses', about: '' }).parse(text),
  origin: (text) => setting.origin('', { task: 'addresses', about: '' }).parse(text),
  sipInternal: sipServer,
  sipExternal: sipServer,
};

const domainHomes: Setting<DomainHomes | undefined> = {
  ...setting.text('DOMAINS_FILE', {
    task: 'addresses',
    about:
      'JSON file with settings by SIP domain: `{"branch.example": {"redirect": "https://uc.branch.example/"}}`; ' +
      'also `origin` (one of PUBLIC_ORIGIN), `sipInternal`, `sipExternal` (`host:port`)',
  }),
  allowed: 'a JSON file',
  fallback: undefined,
  required: false,
  parse: readDomainHomes,
};

export const domainSettings = { domainHomes };

/** Throws an Error that completes "DOMAINS_FILE …". */
function readDomainHomes(path: string): DomainHomes {
  const homes = new Map<string, DomainHome>();
  for (const [domain, home] of objectEntries(readJson(path), 'the file')) {
    homes.set(domain.toLowerCase(), readHome(domain, home));
  }
  return homes;
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw new Error(`must be a readable JSON file: ${errorReason(cause)}`, {
      cause,
    });
  }
}

function readHome(domain: string, home: unknown): DomainHome {
  const known = Object.entries(readers);
  return Object.fromEntries(
    objectEntries(home, domain).map(([name, value]) => {
      const [, read] = known.find(([key]) => key === name) ?? [];
      if (read === undefined) throw new Error(`has an unknown key "${name}" for ${domain}`);
      if (typeof value !== 'string') throw new Error(`needs a text for ${domain}, ${name}`);
      try {
        return [name, read(value)];
      } catch (cause) {
        throw new Error(`is wrong for ${domain}: ${name} ${errorReason(cause)}`, { cause });
      }
    }),
  );
}

function objectEntries(value: unknown, what: string): [string, unknown][] {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return Object.entries(value);
  throw new Error(`must contain an object for ${what}`);
}

function sipServer(text: string): SipServer {
  const [, host, port] = /^([a-z0-9.-]{1,253}):(\d{1,5})$/i.exec(text) ?? [];
  if (host === undefined || Number(port) < 1 || Number(port) > 65_535)
    throw new Error('must look like sip.example:5061');
  return { host, port: Number(port) };
}
