import { personName, rolesIn, type ClaimRules } from './person-claims.js';

const rules: ClaimRules = {
  personClaim: 'preferred_username',
  rolesClaim: undefined,
  roleValues: { operator: 'noc', reveal: 'see-names', admin: 'desk' },
};

describe('the claims of a token', () => {
  it('name the person in the form of the directory', () => {
    const claims = { preferred_username: 'Alice@Example.Test', groups: ['operator'] };
    expect(personName(claims, rules)).toBe('alice@example.test');
    expect(rolesIn(claims, rules)).toBeUndefined();
  });

  it.each([
    ['no claim', {}],
    ['an empty one', { preferred_username: '' }],
    ['a number', { preferred_username: 7 }],
    ['a list', { preferred_username: ['alice'] }],
    ['an endless one', { preferred_username: 'a'.repeat(257) }],
    ['letters of another script', { preferred_username: '\uFF41lice@example.test' }],
    ['a Kelvin sign', { preferred_username: '\u212Aate@example.test' }],
    ['a blank before it', { preferred_username: ' alice@example.test' }],
    ['a line end after it', { preferred_username: 'alice@example.test\n' }],
    ['a space without width before it', { preferred_username: '\uFEFFalice@example.test' }],
    ['a separator of paragraphs after it', { preferred_username: 'alice@example.test\u2029' }],
    ['blanks only', { preferred_username: '  ' }],
    ['only an inherited one', Object.create({ preferred_username: 'alice@example.test' })],
  ])('name no person with %s', (_what, claims) => {
    expect(personName(claims, rules)).toBeUndefined();
  });

  it('name a person by an address only if the provider has verified it', () => {
    const byMail = { ...rules, personClaim: 'email' };
    const email = 'alice@example.test';
    expect(personName({ email }, byMail)).toBeUndefined();
    expect(personName({ email, email_verified: 'true' }, byMail)).toBeUndefined();
    expect(personName({ email, email_verified: true }, byMail)).toBe(email);
  });

  it.each([
    ['a list', 'groups', { groups: ['staff', 'noc'] }, ['user', 'operator']],
    ['one text', 'groups', { groups: 'see-names' }, ['user', 'reveal']],
    ['several', 'groups', { groups: ['desk', 'noc'] }, ['user', 'operator', 'admin']],
    ['a path', 'realm_access.roles', { realm_access: { roles: ['noc', 'see-names'] } }, ['user', 'operator', 'reveal']],
    ['a name with dots', 'example.test/roles', { 'example.test/roles': ['noc'] }, ['user', 'operator']],
    ['nothing', 'groups', {}, ['user']],
    ['another form', 'groups', { groups: { noc: true } }, ['user']],
  ])('give roles in %s', (_what, rolesClaim, claims, roles) => {
    const mapped = { ...rules, rolesClaim };
    expect(rolesIn(claims, mapped)).toEqual(roles);
  });
});
