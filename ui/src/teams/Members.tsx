import { useEffect, useRef, useState } from "react";
import type { Team, TeamMember, TeamRole } from "../kit/api/types";
import { toast } from "../kit/ui/toast";
import { FROM_TABLE, useMedia } from "../kit/useMedia";
import { useChangeRole, useRemoveMember } from "./api";
import { RemoveDialog, RoleDialog } from "./MemberDialogs";
import { MemberRows } from "./MemberRows";
import css from "./Team.module.css";

/** The members of the team, and the dialogs that change them. */
export function Members({ team }: { team: Team }) {
  const [asked, setAsked] = useState<{ about: "role" | "remove"; member: TeamMember } | null>(null);
  const isWide = useMedia(FROM_TABLE);
  const heading = useRef<HTMLHeadingElement>(null);
  const changed = useRef(false);
  const remove = useRemoveMember();
  const changeRole = useChangeRole();
  const close = () => setAsked(null);

  // The element that opened the dialog may have disappeared with the change; if it has not, the dialog returns the
  // focus to it.
  useEffect(() => {
    if (asked || !changed.current) return;
    changed.current = false;
    heading.current?.focus({ preventScroll: true });
  }, [asked]);

  const say = (title: string, member: TeamMember) => {
    changed.current = true;
    toast({ title, description: member.user.displayName });
  };
  const confirmRemoval = async (member: TeamMember) => {
    await remove.mutateAsync(member);
    say("Member Removed", member);
  };
  const confirmRole = async (member: TeamMember, role: TeamRole) => {
    await changeRole.mutateAsync({ userId: member.userId, role });
    say("Role Updated", member);
  };

  return (
    <section className={`section ${css.listed}`} aria-labelledby="members">
      <h2 className="h2" id="members" ref={heading} tabIndex={-1}>
        Members
      </h2>
      <MemberRows
        team={team}
        isWide={isWide}
        onRole={(member) => setAsked({ about: "role", member })}
        onRemove={(member) => setAsked({ about: "remove", member })}
      />
      {asked?.about === "role" && (
        <RoleDialog member={asked.member} onChoose={(role) => confirmRole(asked.member, role)} onClose={close} />
      )}
      {asked?.about === "remove" && (
        <RemoveDialog member={asked.member} onConfirm={() => confirmRemoval(asked.member)} onClose={close} />
      )}
    </section>
  );
}
