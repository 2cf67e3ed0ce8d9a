import { usedSeats } from "../access/seats";
import type { Interval, PlanPrices, SeatUsage, Team, TeamMember, TeamRole } from "../kit/api/types";
import { whole } from "../kit/format";

/** The most seats beyond those of the plan. */
export const MOST_ADDON_SEATS = 1_000;

export const ROLE_NAMES: Record<TeamRole, string> = { owner: "Owner", admin: "Admin", member: "Member" };

const RANKS: Record<TeamRole, number> = { owner: 0, admin: 1, member: 2 };

/** The owner, then admins, then members; within a role as they joined. */
export function sorted(members: readonly TeamMember[]): TeamMember[] {
  return members.toSorted((a, b) => RANKS[a.role] - RANKS[b.role]);
}

/** Whether a role invites, names the team and sets its challenges. */
export function manages(role: TeamRole): boolean {
  return role !== "member";
}

/** What somebody of a role may do about a member who is not they themselves. */
export function mayDo(role: TeamRole, to: TeamRole): { changeRole: boolean; remove: boolean } {
  const owns = role === "owner" && to !== "owner";
  return { changeRole: owns, remove: owns || (role === "admin" && to === "member") };
}

/** Whether nobody pays for the team any more; one whose payment is merely late keeps its plan. */
export function isLapsed({ subscription }: Pick<Team, "subscription">): boolean {
  return subscription.plan !== "shelfwise_team";
}

const INTERVALS: Record<Interval, string> = { annual: "Annual", monthly: "Monthly" };

/** How often the team is paid for; a plan that was not bought is not billed. */
export function intervalOf({ billingInterval }: Team["subscription"]): string {
  return billingInterval ? INTERVALS[billingInterval] : "Not billed";
}

/** How full the seats are: red at 100 % or more, amber at 80 % or more, else green. */
export function fillOf(usage: SeatUsage): "ok" | "warn" | "full" {
  const share = usedSeats(usage) / usage.seatLimit;
  return share >= 1 ? "full" : share >= 0.8 ? "warn" : "ok";
}

/** What the seats are made of, and how many of them invitations hold; "" where there is nothing to say. */
export function seatsHint({ baseSeats, addonSeats, pendingInvitations: held }: SeatUsage): string {
  const base = addonSeats > 0 ? `Base: ${baseSeats} seats + ${addonSeats} addon seats` : "";
  const holds = held === 1 ? "One seat is held by an invitation" : `${whole(held)} seats are held by invitations`;
  return [base, held > 0 && holds].filter(Boolean).join(". ");
}

/** What a further seat costs. */
export function seatPrice(interval: Interval | null, offer: PlanPrices | undefined, baseSeats: number): string {
  if (interval === "annual" && offer?.seatAnnual) return `${offer.seatAnnual} a year each, from today on`;
  if (interval === "monthly" && offer?.seatMonthly) return `${offer.seatMonthly} a month each, from today on`;
  return `Beyond the ${baseSeats} that come with the plan`;
}

/** The least addon seats that leave everybody theirs. */
export function leastAddonSeats(usage: SeatUsage): number {
  return Math.max(0, usedSeats(usage) - usage.baseSeats);
}

/** Whether something typed can be an address to invite; the server looks closer. */
export function isAddress(email: string): boolean {
  return email.trim() !== "" && email.includes("@");
}
