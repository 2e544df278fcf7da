import type { ReactNode } from 'react';
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { useLocation } from 'wouter';
import { Chevron } from '../parts/chevron.js';
import menu from '../parts/menu.module.css';
import { applyTimeZone, storeTimeZone, useTimeZone, type TimeZone } from '../parts/time/time-zone.js';
import { LANGUAGES, language, storeLanguage, type Language } from '../texts/language.js';
import { Unreachable, type Session } from '../web-interface/index.js';
import { useServices, useSignedIn } from '../services/services.js';
import styles from './tools.module.css';
import { texts } from '../texts/app.js';

const OTHER: Readonly<Record<TimeZone, TimeZone>> = { local: 'UTC', UTC: 'local' };
const OTHER_LANGUAGES = (['en', 'de'] as const).filter((each) => each !== language);

/** The signed-in user, the own account, the zone of times, the language, and sign-out. */
export function AccountMenu(): ReactNode {
  const { session } = useServices();
  const { username, roles } = useSignedIn();
  const [, navigate] = useLocation();
  const zone = useTimeZone();
  return (
    <MenuTrigger>
      <Button
        className={styles['tool'] ?? ''}
        aria-label={zone === 'UTC' ? texts.signedInUtc(username) : texts.signedIn(username)}
      >
        <span className={styles['name']}>{username}</span>
        {zone === 'UTC' && <span className={styles['zone']}>{zone}</span>}
        <Chevron />
      </Button>
      <Popover className={menu['menu'] ?? ''} placement="bottom end">
        <div className={styles['who']}>
          <div>{username}</div>
          <div className="muted">{roles.length === 0 ? texts.noRole : roles.join(', ')}</div>
        </div>
        <Menu aria-label={texts.account}>
          <MenuItem className={menu['item'] ?? ''} onAction={() => navigate('/account')}>
            {texts.myAccount}
          </MenuItem>
          <MenuItem className={menu['item'] ?? ''} onAction={() => changeTimeZone(OTHER[zone])}>
            {zone === 'UTC' ? texts.localTime : texts.utc}
          </MenuItem>
          {OTHER_LANGUAGES.map((other) => (
            <MenuItem
              key={other}
              className={menu['item'] ?? ''}
              textValue={LANGUAGES[other]}
              onAction={() => changeLanguage(other)}
            >
              <span lang={other}>{LANGUAGES[other]}</span>
            </MenuItem>
          ))}
          <MenuItem className={menu['item'] ?? ''} onAction={() => void signOut(session)}>
            {texts.signOut}
          </MenuItem>
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}

function changeTimeZone(zone: TimeZone): void {
  storeTimeZone(localStorage, zone);
  applyTimeZone(zone);
}

/** Texts are read while modules are loaded. */
function changeLanguage(other: Language): void {
  storeLanguage(localStorage, other);
  location.reload();
}

/** The page is signed out in any case; if the server cannot be reached, the token stays valid until it expires. */
async function signOut(session: Session): Promise<void> {
  try {
    const endSession = await session.signOut();
    if (endSession !== undefined) location.assign(endSession);
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
  }
}
