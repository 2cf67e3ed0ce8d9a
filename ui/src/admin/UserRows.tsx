import { usePreferences } from "../access/preferences";
import { useIsPrivate } from "../access/site";
import { useUser } from "../access/viewer";
import type { ListedUser } from "../kit/api/types";
import { dateOf, longDate, today } from "../kit/format";
import css from "../kit/people.module.css";
import { Badge } from "../kit/ui/Badge";
import { planOf } from "./model";
import { type UserActions, UserMenu } from "./UserMenu";

interface UserRowsProps {
  users: readonly ListedUser[];
  /** Whether there is room for a table. */
  isWide: boolean;
  actions: UserActions;
}

/** The users as a table, or as rows of text when a table has no room. Operators have no menu for their own account. */
export function UserRows({ users, isWide, actions }: UserRowsProps) {
  const { id: self } = useUser();
  const isPrivate = useIsPrivate();
  const { data: preferences } = usePreferences();
  const seen = (user: ListedUser) => seenOn(user.lastActive, preferences?.timezone);
  if (!isWide) {
    return (
      <ul className={css.rows}>
        {users.map((user) => (
          <li key={user.id} className={css.row}>
            <div className={css.body}>
              <p className={css.name}>
                <Name user={user} self={self} />
              </p>
              <p className={css.email}>{user.email}</p>
              <p className={css.meta}>
                <RoleBadge role={user.role} />
                {!isPrivate && <span>{planOf(user)}</span>}
                <span>Seen {seen(user)}</span>
              </p>
            </div>
            {user.id !== self && <UserMenu user={user} compact={false} {...actions} />}
          </li>
        ))}
      </ul>
    );
  }
  return (
    <table className={css.table}>
      <caption className="vh">Users</caption>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Email</th>
          {!isPrivate && <th scope="col">Plan</th>}
          <th scope="col">Role</th>
          <th scope="col">Last seen</th>
          <th scope="col" className={css.narrow}>
            <span className="vh">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {users.map((user) => (
          <tr key={user.id}>
            <td className={css.name}>
              <Name user={user} self={self} />
            </td>
            <td>{user.email}</td>
            {!isPrivate && <td>{planOf(user)}</td>}
            <td>
              <RoleBadge role={user.role} />
            </td>
            <td className="num">{seen(user)}</td>
            <td>{user.id !== self && <UserMenu user={user} compact {...actions} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Name({ user, self }: { user: ListedUser; self: number }) {
  return (
    <>
      {user.displayName} {user.id === self && <span className={css.you}>you</span>}
      {user.disabled && <Badge variant="warn">disabled</Badge>}
    </>
  );
}

function RoleBadge({ role }: Pick<ListedUser, "role">) {
  return <Badge variant={role === "admin" ? "solid" : "none"}>{role}</Badge>;
}

function seenOn(lastActive: string | null, timezone: string | undefined): string {
  if (lastActive === null) return "never";
  const date = dateOf(lastActive, timezone);
  return date === today(timezone) ? "today" : longDate(date);
}
