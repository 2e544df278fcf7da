import { errorReason } from '@ringdown/errors';
import { isIP } from 'node:net';
import { serverUrls } from './server-urls.js';
import type { SettingTask } from './setting-tasks.js';

/**
 * How one setting is read: its environment variable, its default, the conversion of its text, and one line for the
 * docs.
 */
export interface Setting<T> {
  readonly env: string;
  readonly about: string;
  /** Under which the docs list it. */
  readonly task: SettingTask;
  /** The allowed values in the docs, for example `1..65535` or `default, ms, or a file`. */
  readonly allowed: string;
  readonly fallback: T | undefined;
  /** The default in the docs, if it differs from the text of its value. */
  readonly shownDefault?: string;
  readonly required: boolean;
  /** True for values that must not appear in logs or error messages. */
  readonly secret: boolean;
  /** Throws an Error whose message completes the sentence "NAME …". */
  parse(text: string): T;
}

/** The settings of one service: the property names used in code, with the definition of each. */
export type SettingFields = Record<string, Setting<unknown>>;

/** The typed values that {@link SettingFields} yield. */
export type SettingValues<F extends SettingFields> = {
  readonly [K in keyof F]: F[K] extends Setting<infer T> ? T : never;
};

interface Options<T> {
  task: SettingTask;
  about: string;
  default?: T;
  secret?: boolean;
}

function make<T>(env: string, allowed: string, options: Options<T>, parse: (text: string) => T): Setting<T> {
  return {
    env,
    about: options.about,
    task: options.task,
    allowed,
    fallback: options.default,
    required: options.default === undefined,
    secret: options.secret ?? false,
    parse,
  };
}

export function text(env: string, options: Options<string>): Setting<string> {
  return make(env, 'text', options, (value) => value);
}

export function integer(env: string, options: Options<number> & { min: number; max: number }): Setting<number> {
  const { min, max } = options;
  return make(env, `${min}..${max}`, options, (value) => {
    const number = Number(value);
    if (!/^-?\d+$/.test(value) || number < min || number > max) {
      throw new Error(`must be a whole number from ${min} to ${max}`);
    }
    return number;
  });
}

/** A TCP port; 0 lets the system choose a free one. */
export function port(env: string, options: Options<number>): Setting<number> {
  return integer(env, { ...options, min: 0, max: 65_535 });
}

export function choice<T extends string>(env: string, values: readonly T[], options: Options<T>): Setting<T> {
  return make(env, values.join(', '), options, (value) => {
    const found = values.find((candidate) => candidate === value);
    if (found === undefined) throw new Error(`must be one of ${values.join(', ')}`);
    return found;
  });
}

/** A comma-separated list; blanks around items are removed, empty items are an error. */
export function list(env: string, options: Options<readonly string[]>): Setting<readonly string[]> {
  return make(env, 'comma-separated list', options, (value) => {
    const items = value.split(',').map((item) => item.trim());
    if (items.some((item) => item === '')) throw new Error('must be a comma-separated list without empty items');
    return items;
  });
}

/** Addresses that begin with the same `prefix` bits. */
export interface Network {
  readonly address: string;
  readonly prefix: number;
  readonly family: 'ipv4' | 'ipv6';
}

/** IP addresses and networks of them. */
export function networks(env: string, options: Options<readonly Network[]>): Setting<readonly Network[]> {
  const allowed = 'comma-separated addresses or networks like 192.0.2.0/24';
  const items = list(env, { about: options.about, task: options.task });
  return make(env, allowed, options, (value) =>
    items.parse(value).map((item) => {
      const [address = '', bits, ...more] = item.split('/');
      const version = isIP(address);
      const most = version === 6 ? 128 : 32;
      const prefix = bits === undefined ? most : Number(bits);
      if (version === 0 || more.length > 0 || !/^\d{1,3}$/.test(bits ?? '0') || prefix > most) {
        throw new Error('must be addresses or networks like 192.0.2.1, 192.0.2.0/24 or 2001:db8::/32');
      }
      return { address, prefix, family: version === 6 ? 'ipv6' : 'ipv4' };
    }),
  );
}

const DOMAIN = /^(?!-)[a-z\d-]{1,63}(?<!-)(\.(?!-)[a-z\d-]{1,63}(?<!-))*$/i;

/** Domain names; international ones in the form that DNS uses (`xn--…`). */
export function domains(env: string, options: Options<readonly string[]>): Setting<readonly string[]> {
  const names = list(env, options);
  return {
    ...names,
    allowed: 'comma-separated domain names',
    parse: (value) => {
      const items = names.parse(value);
      if (!items.every((item) => DOMAIN.test(item))) throw new Error('must be domain names like example.test');
      return items;
    },
  };
}

/** An address of this machine to listen on, or its name. */
export function host(env: string, options: Options<string>): Setting<string> {
  return make(env, 'address or host name', options, (value) => {
    if (isIP(value) === 0 && !DOMAIN.test(value)) throw new Error('must be an address like 127.0.0.1 or a host name');
    return value;
  });
}

/** An absolute URL with one of the given schemes. */
export function url(env: string, schemes: readonly string[], options: Options<string>): Setting<string> {
  const allowed = schemes.map((scheme) => `${scheme}://…`).join(' or ');
  return make(env, allowed, options, (value) => {
    const scheme = URL.canParse(value) ? new URL(value).protocol.slice(0, -1) : undefined;
    if (scheme === undefined || !schemes.includes(scheme)) throw new Error(`must be a URL like ${allowed}`);
    return value;
  });
}

/** A URL that may name several servers; {@link serverUrls} lists them. */
export function servers(env: string, schemes: readonly string[], options: Options<string>): Setting<string> {
  const allowed = schemes.map((scheme) => `${scheme}://…`).join(' or ');
  return make(env, `${allowed}; several hosts separated by commas`, options, (value) => {
    if (!schemes.some((scheme) => value.startsWith(`${scheme}://`))) throw new Error(`must be a URL like ${allowed}`);
    try {
      serverUrls(value);
    } catch (error) {
      if (errorReason(error) === 'must be a URL') throw new Error(`must be a URL like ${allowed}`, { cause: error });
      throw error;
    }
    return value;
  });
}

/** An origin: scheme, host and port without a path; a trailing slash is removed. */
export function origin(env: string, options: Options<string>): Setting<string> {
  return make(env, 'https://host[:port]', options, (value) => {
    const parsed = URL.canParse(value) ? new URL(value) : undefined;
    if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.pathname !== '/' || parsed.search || parsed.hash) {
      throw new Error('must be an origin like https://uc.example.test');
    }
    return parsed.origin;
  });
}

/** Creates a setting that may be left out; its value is then `undefined`. */
export function optional<T>(setting: Setting<T>): Setting<T | undefined> {
  return { ...setting, required: false };
}
