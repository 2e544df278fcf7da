import type { ReactNode } from 'react';
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { useLocation } from 'wouter';
import { Chevron } from '../parts/chevron.js';
import menu from '../parts/menu.module.css';
import { applyTimeZone, storeTimeZone, useTimeZone, type TimeZone } from '../parts/time-zone.js';
import { Unreachable, type Session } from '../web-interface/index.js';
import { useServices, useSignedIn } from '../services/services.js';
import styles from './tools.module.css';

const OTHER: Readonly<Record<TimeZone, TimeZone>> = { local: 'UTC', UTC: 'local' };

/** The signed-in user, the own account, the zone of times, and sign-out. */
export function AccountMenu(): ReactNode {
  const { session } = useServices();
  const { username, roles } = useSignedIn();
  const [, navigate] = useLocation();
  const zone = useTimeZone();
  return (
    <MenuTrigger>
      <Button
        className={styles['tool'] ?? ''}
        aria-label={`Signed in as ${username}${zone === 'UTC' ? ', times in UTC' : ''}`}
      >
        <span className={styles['name']}>{username}</span>
        {zone === 'UTC' && <span className={styles['zone']}>UTC</span>}
        <Chevron />
      </Button>
      <Popover className={menu['menu'] ?? ''} placement="bottom end">
        <div className={styles['who']}>
          <div>{username}</div>
          <div className="muted">{roles.length === 0 ? 'no role' : roles.join(', ')}</div>
        </div>
        <Menu aria-label="Account">
          <MenuItem className={menu['item'] ?? ''} onAction={() => navigate('/account')}>
            My account
          </MenuItem>
          <MenuItem className={menu['item'] ?? ''} onAction={() => changeTimeZone(OTHER[zone])}>
            {zone === 'UTC' ? 'Show times in local time' : 'Show times in UTC'}
          </MenuItem>
          <MenuItem className={menu['item'] ?? ''} onAction={() => void signOut(session)}>
            Sign out
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

/** The page is signed out in any case; if the server cannot be reached, the token stays valid until it expires. */
async function signOut(session: Session): Promise<void> {
  try {
    const endSession = await session.signOut();
    if (endSession !== undefined) location.assign(endSession);
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
  }
}
