import { PEOPLE_DN, type LdifEntry } from '@ringdown/testing/ldif';
import { startSlapd, type TestDirectory } from '@ringdown/testing/servers/slapd';
import { authenticate } from './authenticate.js';
import { OpenDirectories, settingsFor } from './ldap-under-test.js';

const OID = '1.3.6.1.4.1.99999';
/** The attributes of Active Directory in the preset that OpenLDAP does not know. */
const TEXTS =
  'userPrincipalName sAMAccountName msRTCSIP-PrimaryUserAddress department company otherTelephone objectCategory';
const schema = [
  ...TEXTS.split(' ').map(
    (name, number) =>
      `attributetype ( ${OID}.1.${number} NAME '${name}' EQUALITY caseIgnoreMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 )`,
  ),
  `attributetype ( ${OID}.2.1 NAME 'objectGUID' EQUALITY octetStringMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.40 )`,
  `attributetype ( ${OID}.2.2 NAME 'userAccountControl' EQUALITY integerMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 )`,
  `attributetype ( ${OID}.2.3 NAME 'whenChanged' EQUALITY generalizedTimeMatch ORDERING generalizedTimeOrderingMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.24 )`,
  `attributetype ( ${OID}.2.4 NAME 'memberOf' EQUALITY distinguishedNameMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.12 )`,
  `objectclass ( ${OID}.3 NAME 'user' SUP inetOrgPerson STRUCTURAL MAY ( ${TEXTS.replaceAll(' ', ' $ ')} $ objectGUID $ userAccountControl $ whenChanged $ memberOf ) )`,
];
const OPERATORS = `cn=Voice\\, Operators,${PEOPLE_DN}`;

function* entries(): Generator<LdifEntry> {
  yield { dn: PEOPLE_DN, objectClass: 'organizationalUnit', ou: 'people' };
  yield user('Archer\\, Alice', '512', {
    displayName: 'Archer, Alice',
    userPrincipalName: 'Alice.Archer@EXAMPLE.test',
    sAMAccountName: 'aarcher',
    'msRTCSIP-PrimaryUserAddress': 'sip:alice@uc.example.test',
    mail: 'alice@example.test',
    department: 'Sales',
    company: 'Example Ltd.',
    telephoneNumber: '0044 20 7946 0958',
    mobile: '+44 7700 900123',
    otherTelephone: 'x17',
    memberOf: OPERATORS,
    objectGUID: '0123456789abcdef',
  });
  yield user('Bob Baker', '66048', { userPrincipalName: 'bob@example.test', sAMAccountName: 'bob', cn: 'Bob Baker' });
  yield user('Left', '514', { userPrincipalName: 'left@example.test', sAMAccountName: 'left', cn: 'Left' });
  yield user('Without', '512', { sAMAccountName: 'without', cn: 'Without Principal Name' });
}

function user(name: string, userAccountControl: string, more: Record<string, string>): LdifEntry {
  return {
    dn: `cn=${name},${PEOPLE_DN}`,
    objectClass: 'user',
    objectCategory: 'person',
    sn: 'x',
    userAccountControl,
    whenChanged: '20260101000000.0Z',
    userPassword: 'secret',
    ...more,
  };
}

describe('an Active Directory', () => {
  const open = new OpenDirectories();
  let slapd: TestDirectory;

  beforeAll(async () => {
    slapd = await startSlapd({ entries: entries(), schema });
  });
  afterAll(async () => {
    await open.closeAll();
    await slapd.stop();
  });

  it('is read with its own attribute names, without disabled users and users without a principal name', async () => {
    const { directory } = await open.open({
      ...settingsFor(slapd.url),
      DIRECTORY_PRESET: 'active-directory',
      DIRECTORY_OPERATORS_FILTER: `(memberOf=${OPERATORS.replace('\\', '\\5c')})`,
    });
    expect(directory.people.all).toEqual([
      {
        username: 'alice.archer@example.test',
        name: 'Archer, Alice',
        sipAddress: 'sip:alice@uc.example.test',
        mail: 'alice@example.test',
        department: 'Sales',
        company: 'Example Ltd.',
        phones: { work: '+442079460958', mobile: '+447700900123' },
        roles: ['user', 'operator'],
        contacts: [],
      },
      expect.objectContaining({ username: 'bob@example.test', name: 'Bob Baker', sipAddress: 'sip:bob@example.test' }),
    ]);
  });

  it.each(['alice.archer@example.test', 'aarcher@example.test', 'alice@uc.example.test', 'sip:alice@uc.example.test'])(
    'lets people sign in as %s',
    async (name) => {
      const { directory } = await open.open({ ...settingsFor(slapd.url), DIRECTORY_PRESET: 'active-directory' });
      expect(await authenticate(directory, name, 'secret')).toMatchObject({ name: 'Archer, Alice' });
      expect(await authenticate(directory, name, 'wrong')).toBeUndefined();
      expect(await authenticate(directory, 'left@example.test', 'secret')).toBeUndefined();
      expect(await authenticate(directory, 'without@example.test', 'secret')).toBeUndefined();
    },
  );
});
