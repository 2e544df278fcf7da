import { errorReason } from '@ringdown/errors';
import type { Logger } from '@ringdown/observability';
import { SettingsError } from '@ringdown/settings';
import { readFileSync } from 'node:fs';
import { ldapParts, type LdapAccess } from './ldap-access.js';
import type { LdapServer } from './ldap-connection.js';
import { LdapDirectory } from './ldap-directory.js';
import { LdapPhotos } from './ldap-photos.js';
import { ldapNames, type LdapSettings } from './ldap-settings.js';
import { LdapSignIn } from './ldap-sign-in.js';

export interface OpenLdapOptions {
  readonly urls: readonly string[];
  readonly settings: LdapSettings;
  /** Completes usernames without a domain. */
  readonly sipDomain: string;
  readonly logger: Logger;
}

/** Creates the directory that the settings describe. Throws as {@link LdapDirectory.open} does, and `SettingsError`. */
export function openLdapDirectory({ urls, settings, sipDomain, logger }: OpenLdapOptions): Promise<LdapDirectory> {
  const names = ldapNames(settings);
  const baseDn = settings.directoryBaseDn ?? '';
  const ca = settings.directoryCaFile === undefined ? undefined : readCertificates(settings.directoryCaFile);
  const server: LdapServer = {
    urls,
    startTls: settings.directoryStartTls === 'on',
    ...(ca === undefined ? {} : { ca }),
    connectMs: settings.directoryConnectMs,
    answerMs: settings.directoryAnswerMs,
  };
  const { directoryBindDn: dn, directoryBindPassword: password } = settings;
  const { directoryOperatorsFilter: operatorsFilter } = settings;
  const access: LdapAccess = {
    server,
    ...(dn === undefined || password === undefined ? {} : { account: { dn, password } }),
    names,
    baseDn,
    sipDomain,
    peopleFilter: settings.directoryPeopleFilter ?? names.peopleFilter,
    pageSize: settings.directoryPageSize,
    roleGroups: {
      operator: settings.directoryOperatorsGroup,
      reveal: settings.directoryRevealGroup,
      admin: settings.directoryAdminsGroup,
    },
    ...(operatorsFilter === undefined ? {} : { operatorsFilter }),
  };
  // For requests with a waiting caller; the people are read in another thread.
  const { service, reader, entries } = ldapParts(access);
  const signIn = new LdapSignIn({
    server,
    service,
    reader,
    entries,
    baseDn,
    attributes: names.signIn,
    sipAttribute: names.attributes.sipAddress[0],
    sipDomain,
    connections: settings.directoryConnections,
    logger,
  });
  return LdapDirectory.open({
    access,
    service,
    reader,
    signIn,
    photos: new LdapPhotos({ service, reader, entries, names }),
    logger,
    refreshMs: settings.directoryRefreshSeconds * 1000,
    fullRefreshMs: settings.directoryFullRefreshSeconds * 1000,
  });
}

/** The certificates in the file of DIRECTORY_CA_FILE. Throws `SettingsError`. */
export function readCertificates(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new SettingsError([`DIRECTORY_CA_FILE cannot be read: ${errorReason(error)}`]);
  }
}
