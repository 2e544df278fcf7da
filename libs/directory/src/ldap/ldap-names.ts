/** What a person is made of; each field may come from one attribute or from the first of several that has a value. */
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
export type Field = (typeof FIELDS)[number];

/** What settings may say of attributes: the photo is not read with the people. */
export const SETTABLE_FIELDS = [...FIELDS, 'photo'] as const;
export type SettableField = (typeof SETTABLE_FIELDS)[number];

/** How one kind of directory names things. */
export interface LdapNames {
  /** Who is a person that may be found and sign in (RFC 4515). */
  readonly peopleFilter: string;
  /** Attributes that hold what people type to sign in: `user@domain`, or `user` for the first SIP domain. */
  readonly signIn: readonly string[];
  readonly attributes: Readonly<Record<SettableField, readonly string[]>>;
  /** What stays the same when an entry is renamed. */
  readonly id: string;
  /** True where that is bytes and no text. */
  readonly idIsBinary: boolean;
  /** When an entry was last changed. */
  readonly changed: string;
  /**
   * How the members of a group are found at the people; where there is no such way they are read from the group, and
   * must then be people themselves.
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
    // A user that is not disabled: the bit 2 of userAccountControl.
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
    // The rule by which it also finds members of groups in the group.
    memberRule: { attribute: 'memberOf', rule: '1.2.840.113556.1.4.1941' },
  },
} as const satisfies Readonly<Record<string, LdapNames>>;

export type Preset = keyof typeof PRESETS;
