import { canonicalName } from '@ringdown/directory';

/**
 * The name of a user in the directory, from any of the forms that clients send: `user@domain`, `sip:user@domain`,
 * `DOMAIN\user`, or `user` alone, which means the first domain (web-interface.md, section 2). Before a backslash there
 * is a SIP domain or its first label; undefined when it is not one of ours.
 */
export function signInName(given: string, sipDomains: readonly string[]): string | undefined {
  const name = canonicalName(given).trim();
  if (name.includes('@')) return name;
  const backslash = name.indexOf('\\');
  const user = name.slice(backslash + 1);
  const domain = backslash === -1 ? sipDomains[0] : domainNamed(name.slice(0, backslash), sipDomains);
  return domain === undefined ? undefined : `${user}@${domain.toLowerCase()}`;
}

function domainNamed(name: string, sipDomains: readonly string[]): string | undefined {
  return sipDomains.find((domain) => {
    const lower = domain.toLowerCase();
    return lower === name || lower.split('.', 1)[0] === name;
  });
}
