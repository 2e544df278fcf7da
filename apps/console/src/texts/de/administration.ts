import type { en } from '../en/administration.js';

export const de: typeof en = {
  title: 'Konten',
  allAccounts: 'Alle Konten',

  people: 'Personen',
  peopleTable: 'Tabelle der Personen',
  noPeople: 'Keine passenden Personen.',
  pages: 'Seiten',
  previous: 'Zurück',
  next: 'Weiter',
  searchedFields: 'Name, Adresse, Nummer',
  role: 'Rolle',
  state: 'Zustand',
  any: { role: 'beliebige', state: 'beliebiger' },
  states: { active: 'aktiv', blocked: 'gesperrt' },
  search: 'Suchen',
  username: 'Benutzername',
  name: 'Name',
  mail: 'E-Mail',
  jobTitle: 'Position',
  department: 'Abteilung',
  roles: 'Rollen',
  fromFile: (setting) =>
    `Die Personen stehen in einer Datei (${setting}), die dieser Server nur liest: Ändern Sie sie dort.`,
  fromDirectory: (setting) =>
    `Die Personen stehen im Verzeichnis Ihrer Organisation (${setting}): Ändern Sie sie dort.`,

  addPerson: 'Person hinzufügen',
  openForm: 'Person hinzufügen',
  withPassword: 'mit einem erzeugten Passwort',
  add: 'Hinzufügen',
  cancel: 'Abbrechen',
  addedWithPassword: (username, password) =>
    `${username} wurde hinzugefügt, mit dem Passwort ${password}, das nur einmal angezeigt wird.`,
  addedWithoutPassword: (username) => `${username} wurde ohne Passwort hinzugefügt.`,

  sipAddress: 'SIP-Adresse',
  sipAddressExample: 'sip: und der Benutzername',
  company: 'Firma',
  office: 'Büro',
  phones: {
    work: 'Telefon, geschäftlich',
    home: 'Telefon, privat',
    mobile: 'Telefon, mobil',
    other: 'Telefon, weiteres',
  },
  contacts: 'Kontakte (Benutzernamen)',
  roleHints: {
    operator: 'kann Anrufe sehen',
    reveal: 'kann die Benutzer der Anrufe sehen (mit operator)',
    admin: 'kann Personen verwalten',
  },

  person: 'Person',
  newIdentity:
    'Ein geänderter Benutzername oder eine geänderte SIP-Adresse ist eine neue Identität. Ein neuer Benutzername beendet alle Sitzungen.',
  save: 'Speichern',
  reload: 'Neu laden',
  signIn: 'Anmeldung',
  activeWithPassword: 'aktiv, mit Passwort',
  activeWithoutPassword: 'aktiv, ohne Passwort',
  blockedWithPassword: 'gesperrt, mit Passwort',
  blockedWithoutPassword: 'gesperrt, ohne Passwort',
  ownAccount: 'Das ist Ihr eigenes Konto: Nur ein anderer Administrator kann es zurücksetzen, sperren oder entfernen.',
  resetPassword: 'Passwort zurücksetzen',
  confirmReset: 'Zurücksetzen und alle Sitzungen beenden',
  block: 'Sperren',
  unblock: 'Entsperren',
  remove: 'Entfernen',
  removePerson: (username) => `${username} entfernen`,
  signsInWith: (username, password) =>
    `${username} meldet sich mit dem Passwort ${password} an, das nur einmal angezeigt wird.`,
  sessions: 'Sitzungen',
  endAll: 'Alle beenden',
};
