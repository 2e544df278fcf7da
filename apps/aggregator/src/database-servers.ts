import { serverUrls, setting, type Setting } from '@ringdown/settings';

/** One of the servers that a setting names. */
export interface DatabaseServer {
  /** For the driver, which knows only one host. */
  readonly url: string;
  /** Host and port, for messages. */
  readonly address: string;
}

/** What a connection may be to, as libpq names it (`target_session_attrs`). */
const SESSION_ATTRS = ['any', 'primary', 'read-write', 'standby', 'read-only', 'prefer-standby'] as const;
export type SessionAttrs = (typeof SESSION_ATTRS)[number];

const PARAMETER = 'target_session_attrs';

/** The servers of DATABASE_URL or DATABASE_READ_URL. Throws an Error that completes "NAME …". */
export function databaseServers(text: string): { servers: DatabaseServer[]; attrs: SessionAttrs | undefined } {
  let attrs: SessionAttrs | undefined;
  const servers = serverUrls(text).map((each) => {
    const url = new URL(each);
    attrs = attrsOf(url.searchParams.get(PARAMETER));
    url.searchParams.delete(PARAMETER);
    return { url: url.href, address: url.host };
  });
  return { servers, attrs };
}

function attrsOf(text: string | null): SessionAttrs | undefined {
  if (text === null) return undefined;
  const attrs = SESSION_ATTRS.find((each) => each === text);
  if (attrs === undefined) throw new Error(`must have one of ${SESSION_ATTRS.join(', ')} as ${PARAMETER}`);
  return attrs;
}

const SCHEMES = ['postgres', 'postgresql'];

/** A setting that names servers of which one is to be used. `allowed`: values of target_session_attrs. */
function databaseUrl(env: string, about: string, allowed: readonly SessionAttrs[]): Setting<string> {
  const plain = setting.servers(env, SCHEMES, { task: 'database', about, secret: true });
  return {
    ...plain,
    parse: (text) => {
      const value = plain.parse(text);
      const { attrs } = databaseServers(value);
      if (attrs !== undefined && !allowed.includes(attrs)) {
        throw new Error(`must have one of ${allowed.join(', ')} as ${PARAMETER}, because of what it is used for`);
      }
      return value;
    },
  };
}

export const databaseUrlSettings = {
  databaseUrl: databaseUrl(
    'DATABASE_URL',
    'PostgreSQL database of calls; user and password may stand in the URL. Of several hosts, the primary is used',
    ['primary', 'read-write', 'any'],
  ),
  databaseReadUrl: setting.optional(
    databaseUrl(
      'DATABASE_READ_URL',
      'The same database for statistics and suggestions, which may lag behind; of several hosts, a standby is preferred. Default: DATABASE_URL',
      ['any', 'standby', 'read-only', 'prefer-standby'],
    ),
  ),
};
