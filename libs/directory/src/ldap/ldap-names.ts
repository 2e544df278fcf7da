/** The fields of a person; each may come from one attribute or from the first of several that has a value. */
export const FIELDS = [
  'username',
  'name',
  'sipAddress',
  'mail',
  'title',
  'department',
  'company',
  'office',
  'workPhone',
  'homePhone',
  'mobilePhone',
  'otherPhone',
  'passwordChanged',
] as const;
export type PersonField = (typeof FIELDS)[number];

/** The fields whose attributes can be configured: the photo is not read together with the people. */
export const SETTABLE_FIELDS = [...FIELDS, 'photo'] as const;
export type SettableField = (typeof SETTABLE_FIELDS)[number];

/** The names that one kind of directory uses. */
export interface LdapNames {
  /** Selects people who can be found and sign in (RFC 4515). */
  readonly peopleFilter: string;
  /** Attributes with the names that people enter to sign in: `user@domain`, or `user` for the first SIP domain. */
  readonly signIn: readonly string[];
  readonly attributes: Readonly<Record<SettableField, readonly string[]>>;
  /** An attribute that does not change when an entry is renamed. */
  readonly id: string;
  /** True if its values are bytes and not text. */
  readonly idIsBinary: boolean;
  /** The attribute with the time of the last change. */
  readonly changed: string;
  /**
   * How to find the members of a group among the people; without it they are read from the group, and must then be
   * people themselves.
   */
  readonly memberRule?: { readonly attribute: string; readonly rule: string };
}

export const PRESETS = {
  inetorgperson: {
    peopleFilter: '(objectClass=inetOrgPerson)',
    signIn: ['uid', 'mail'],
    attributes: {
      username: ['uid'],
      name: ['displayName', 'cn'],
      sipAddress: [],
      mail: ['mail'],
      title: ['title'],
      department: ['departmentNumber', 'ou'],
      company: ['o'],
      office: ['physicalDeliveryOfficeName', 'roomNumber'],
      workPhone: ['telephoneNumber'],
      homePhone: ['homePhone'],
      mobilePhone: ['mobile'],
      otherPhone: [],
      passwordChanged: ['pwdChangedTime'],
      photo: ['jpegPhoto'],
    },
    id: 'entryUUID',
    idIsBinary: false,
    changed: 'modifyTimestamp',
  },
  'active-directory': {
    // A user that is not disabled: bit 2 of userAccountControl.
    peopleFilter: '(&(objectCategory=person)(objectClass=user)(!(userAccountControl:1.2.840.113556.1.4.803:=2)))',
    signIn: ['userPrincipalName', 'sAMAccountName', 'mail'],
    attributes: {
      username: ['userPrincipalName'],
      name: ['displayName', 'cn'],
      sipAddress: ['msRTCSIP-PrimaryUserAddress'],
      mail: ['mail'],
      title: ['title'],
      department: ['department'],
      company: ['company'],
      office: ['physicalDeliveryOfficeName'],
      workPhone: ['telephoneNumber'],
      homePhone: ['homePhone'],
      mobilePhone: ['mobile'],
      otherPhone: ['otherTelephone'],
      passwordChanged: ['pwdLastSet'],
      photo: ['thumbnailPhoto', 'jpegPhoto'],
    },
    id: 'objectGUID',
    idIsBinary: true,
    changed: 'whenChanged',
    // The matching rule that includes members of nested groups.
    memberRule: { attribute: 'memberOf', rule: '1.2.840.113556.1.4.1941' },
  },
} as const satisfies Readonly<Record<string, LdapNames>>;

export type Preset = keyof typeof PRESETS;
