import { usePreferences } from "../access/preferences";
import { useUser } from "../access/viewer";
import type { Team, TeamMember, TeamRole } from "../kit/api/types";
import { instantDate } from "../kit/format";
import people from "../kit/people.module.css";
import { Badge } from "../kit/ui/Badge";
import { Button, IconButton } from "../kit/ui/Button";
import { Menu, MenuItem } from "../kit/ui/Menu";
import { manages, mayDo, ROLE_NAMES, sorted } from "./model";
import css from "./Team.module.css";

interface MemberActions {
  onRole: (member: TeamMember) => void;
  onRemove: (member: TeamMember) => void;
}

interface MemberRowsProps extends MemberActions {
  team: Team;
  /** Whether there is room for a table. */
  isWide: boolean;
}

/** The members as a table, or as rows of text when a table has no room. */
export function MemberRows({ team, isWide, ...actions }: MemberRowsProps) {
  const { data: preferences } = usePreferences();
  const joined = (member: TeamMember) => instantDate(member.joinedAt, preferences?.timezone);
  const members = sorted(team.members);
  if (!isWide) {
    return (
      <ul className={people.rows}>
        {members.map((member) => (
          <li key={member.id} className={people.row}>
            <div className={people.body}>
              <p className={people.name} dir="auto">
                <Name member={member} />
              </p>
              <p className={people.email}>{member.user.email}</p>
              <p className={people.meta}>
                <RoleBadge role={member.role} />
                <span>Joined {joined(member)}</span>
              </p>
            </div>
            <RowMenu role={team.role} member={member} {...actions} />
          </li>
        ))}
      </ul>
    );
  }
  return (
    <table className={`${people.table} ${css.members}`}>
      <caption className="vh">Members</caption>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Email</th>
          <th scope="col">Role</th>
          <th scope="col">Joined</th>
          {manages(team.role) && <th scope="col">Actions</th>}
        </tr>
      </thead>
      <tbody>
        {members.map((member) => (
          <tr key={member.id}>
            <td className={people.name} dir="auto">
              <Name member={member} />
            </td>
            <td>{member.user.email}</td>
            <td>
              <RoleBadge role={member.role} />
            </td>
            <td className="num">{joined(member)}</td>
            {manages(team.role) && (
              <td>
                <Actions role={team.role} member={member} {...actions} />
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Name({ member }: { member: TeamMember }) {
  const { id } = useUser();
  return (
    <>
      {member.user.displayName} {member.userId === id && <span className={people.you}>you</span>}
    </>
  );
}

const BADGES = { owner: "solid", admin: undefined, member: "none" } as const;

function RoleBadge({ role }: { role: TeamRole }) {
  return <Badge variant={BADGES[role]}>{ROLE_NAMES[role]}</Badge>;
}

interface OfMember extends MemberActions {
  /** The role of the signed-in reader. */
  role: TeamRole;
  member: TeamMember;
}

function Actions({ role, member, onRole, onRemove }: OfMember) {
  const may = mayDo(role, member.role);
  const name = member.user.displayName;
  return (
    <div className={css.acts}>
      {may.changeRole && (
        <Button variant="quiet" size="compact" aria-label={`Change role of ${name}`} onClick={() => onRole(member)}>
          Change role
        </Button>
      )}
      {may.remove && <IconButton icon="trash" compact label={`Remove ${name}`} onClick={() => onRemove(member)} />}
    </div>
  );
}

function RowMenu({ role, member, onRole, onRemove }: OfMember) {
  const may = mayDo(role, member.role);
  if (!may.remove) return null;
  return (
    <Menu trigger={<IconButton icon="dots" label={`Actions for ${member.user.displayName}`} />}>
      {may.changeRole && (
        <MenuItem icon="people" onSelect={() => onRole(member)}>
          Change role
        </MenuItem>
      )}
      <MenuItem icon="trash" onSelect={() => onRemove(member)}>
        Remove
      </MenuItem>
    </Menu>
  );
}
