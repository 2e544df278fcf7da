import { Attribute, Change, Client } from 'ldapts';
import { DIRECTORY_SUFFIX, PEOPLE_DN } from './ldif.js';
import { ADMIN_DN, ADMIN_PASSWORD, SERVICE_DN, SERVICE_PASSWORD } from './servers/slapd.js';

/** Settings for the service account of a test directory, without TLS. */
export function directorySettingsFor(url: string): Record<string, string> {
  return {
    DIRECTORY_URL: url,
    DIRECTORY_STARTTLS: 'off',
    DIRECTORY_BASE_DN: DIRECTORY_SUFFIX,
    DIRECTORY_BIND_DN: SERVICE_DN,
    DIRECTORY_BIND_PASSWORD: SERVICE_PASSWORD,
  };
}

/** Runs `work` as the directory's administrator. */
export async function asDirectoryAdmin<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ url });
  try {
    await client.bind(ADMIN_DN, ADMIN_PASSWORD);
    return await work(client);
  } finally {
    await client.unbind();
  }
}

export function setDirectoryPassword(url: string, uid: string, password: string): Promise<void> {
  const modification = new Attribute({ type: 'userPassword', values: [password] });
  const change = new Change({ operation: 'replace', modification });
  return asDirectoryAdmin(url, (admin) => admin.modify(`uid=${uid},${PEOPLE_DN}`, change));
}
