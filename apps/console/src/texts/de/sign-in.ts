import type { en } from '../en/sign-in.js';

export const de: typeof en = {
  expired: 'Ihre Sitzung ist abgelaufen. Melden Sie sich erneut an, um fortzufahren.',
  username: 'Benutzername',
  password: 'Passwort',
  signIn: 'Anmelden',
  signingIn: 'Anmeldung läuft …',
  singleSignOn: 'Mit Single Sign-on anmelden',
  providerAway: 'Single Sign-on antwortet nicht. Melden Sie sich stattdessen mit Ihrem Passwort an.',
  unexpected: 'Unerwartete Antwort des Servers. Versuchen Sie es erneut, oder wenden Sie sich an Ihren Administrator.',
};
