import type { en } from '../en/web-interface.js';

export const de: typeof en = {
  signedOut: 'Sie sind nicht mehr angemeldet.',
  unreachable: 'Der Server ist nicht erreichbar.',
  connectionBroke: 'Die Verbindung wurde unterbrochen.',
  respondedWith: (status) => `Der Server hat mit ${status} geantwortet.`,
  otherTab: 'Diese Anmeldung wurde nicht in diesem Tab begonnen. Versuchen Sie es erneut.',
  wrongPassword: 'Der Benutzername oder das Passwort ist falsch.',
  cancelled: 'Die Anmeldung wurde abgebrochen.',
  providerAnswered: (error) => `Der Anmeldedienst hat geantwortet: ${error}`,
  signInElsewhere: (address) => `Die Benutzer dieser Domain melden sich unter ${address} an.`,
};
