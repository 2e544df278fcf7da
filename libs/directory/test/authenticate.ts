import type { Directory, Person } from '../src/index.js';

/** The person with this name and password. */
export async function authenticate(directory: Directory, name: string, password: string): Promise<Person | undefined> {
  const account = await directory.account(name);
  return (await account.signIn(password))?.person;
}
