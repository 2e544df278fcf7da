import type { Call } from '../api/answers.js';
import { callNames } from '../call/call-title.js';

/** `@` and the domain that all addresses of these calls have; undefined if they differ, and without addresses. */
export function sharedDomain(calls: readonly Pick<Call, 'parties'>[]): string | undefined {
  const domains = new Set(calls.flatMap((call) => callNames(call)).flatMap((name) => nameParts(name)[1] || []));
  const [domain] = domains;
  return domains.size === 1 ? domain : undefined;
}

/** What is before the last `@`, and the rest with it. */
export function nameParts(name: string): readonly [user: string, domain: string] {
  const at = name.lastIndexOf('@');
  return at < 1 ? [name, ''] : [name.slice(0, at), name.slice(at)];
}
