import { readFileSync } from 'node:fs';
import type { EmailReceiver, MailTls } from './receivers.js';

export const EMAIL_PROPERTIES = ['host', 'port', 'tls', 'user', 'password', 'from', 'to', 'caFile'] as const;

const PORTS: Readonly<Record<MailTls, number>> = { starttls: 587, implicit: 465, none: 25 };
const HOST = /^[a-z\d.:_-]{1,253}$/i;
/** An addr-spec without quotes and comments: nothing in it can end a header or begin another address. */
const ADDRESS = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z\d.-]{1,253}$/i;
const LONGEST_CREDENTIAL = 256;

/** Throws an Error that completes "ALERT_RECEIVERS …" and contains none of the values. */
export function emailReceiverOf(item: Readonly<Record<string, unknown>>, name: string, place: string): EmailReceiver {
  const { host, tls = 'starttls' } = item;
  if (typeof host !== 'string' || !HOST.test(host)) throw new Error(`needs a host name as ${place}.host`);
  if (tls !== 'starttls' && tls !== 'implicit' && tls !== 'none')
    throw new Error(`needs starttls, implicit or none as ${place}.tls`);
  const { port = PORTS[tls] } = item;
  if (typeof port !== 'number' || !Number.isInteger(port) || port < 1 || port > 65_535)
    throw new Error(`needs a port from 1 to 65535 as ${place}.port`);
  const login = loginOf(item, place);
  if (login !== undefined && tls === 'none') throw new Error(`needs TLS for the password in ${place}`);
  return {
    kind: 'email',
    name,
    host,
    port,
    tls,
    login,
    from: checkedEmailAddress(item['from'], `${place}.from`),
    to: checkedEmailAddress(item['to'], `${place}.to`),
    authorities: authoritiesOf(item['caFile'], `${place}.caFile`),
  };
}

function loginOf({ user, password }: Readonly<Record<string, unknown>>, place: string): EmailReceiver['login'] {
  if (user === undefined && password === undefined) return undefined;
  if (!isCredential(user)) throw new Error(`needs a text of 1 to ${LONGEST_CREDENTIAL} characters as ${place}.user`);
  if (!isCredential(password))
    throw new Error(`needs a text of 1 to ${LONGEST_CREDENTIAL} characters as ${place}.password`);
  return { user, password };
}

function isCredential(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= LONGEST_CREDENTIAL;
}

function checkedEmailAddress(value: unknown, place: string): string {
  if (typeof value !== 'string' || !ADDRESS.test(value))
    throw new Error(`needs one e-mail address, without a name, as ${place}`);
  return value;
}

function authoritiesOf(file: unknown, place: string): string | undefined {
  if (file === undefined) return undefined;
  if (typeof file !== 'string') throw new Error(`needs the name of a PEM file as ${place}`);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`needs a readable PEM file as ${place}`, { cause: error });
  }
  if (!text.includes('-----BEGIN CERTIFICATE-----')) throw new Error(`needs certificates in PEM in ${place}`);
  return text;
}
