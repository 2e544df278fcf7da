import { canonicalName, ROLES, type Role } from '@ringdown/directory';

/** Which claims name the person, and which give roles. */
export interface ClaimRules {
  readonly personClaim: string;
  /** Undefined: the roles of the directory count. */
  readonly rolesClaim: string | undefined;
  /** The value of that claim for each role. */
  readonly roleValues: Readonly<Record<Exclude<Role, 'user'>, string>>;
}

const MAX_NAME_LENGTH = 256;
const ASCII = /^[ -~]*$/;

/**
 * The name of the person, as the directory stores names, or one that the sign-in completes (`alice`); undefined when the
 * token names no person.
 */
export function personName(claims: Readonly<Record<string, unknown>>, rules: ClaimRules): string | undefined {
  const named = claimAt(claims, rules.personClaim);
  if (typeof named !== 'string' || named === '' || named.length > MAX_NAME_LENGTH) return undefined;
  // Two spellings of a name may be two people there, and only one of them is ours. The sign-in would cut off blanks, line
  // ends and spaces without width at both ends.
  if (named.trim() !== named) return undefined;
  const name = canonicalName(named);
  if (!ASCII.test(named) && named !== name) return undefined;
  // A person who enters a foreign address at a careless provider must not become that person.
  if (rules.personClaim === 'email' && claims['email_verified'] !== true) return undefined;
  return name;
}

/** Undefined where the roles of the directory count. */
export function rolesIn(claims: Readonly<Record<string, unknown>>, rules: ClaimRules): readonly Role[] | undefined {
  const { rolesClaim, roleValues } = rules;
  if (rolesClaim === undefined) return undefined;
  const value = claimAt(claims, rolesClaim);
  const values = new Set<unknown>(Array.isArray(value) ? value : [value]);
  return ROLES.filter((role) => role === 'user' || values.has(roleValues[role]));
}

/** A claim by its name, or by a path of names with dots (`realm_access.roles`). */
function claimAt(claims: Readonly<Record<string, unknown>>, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let value: unknown = claims;
  for (const part of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = Object.getOwnPropertyDescriptor(value, part)?.value;
  }
  return value;
}
