import { usePreferences } from "../access/preferences";
import { Settings, SwitchSetting } from "../kit/ui/Settings";
import { useChangePreferences } from "./change";

/** Exactly what the members of a team see of someone who shares. */
export function whatIsShared(team: string): string {
  return `Everyone in ${team} then sees your name and your finished books: title, author, words, dates, rating, format, genres and rereads, also counted in challenges. Never your impressions, quotes or TBR, nor what you are reading now.`;
}

/** The reader's own choice whether the team sees their finished books. Every page uses this same switch. */
export function SharingSetting({ team }: { team: string }) {
  const { data } = usePreferences();
  const { pending, change } = useChangePreferences();
  if (!data) return null;
  return (
    <Settings>
      <SwitchSetting
        id="preference-share"
        name="Share with my team"
        hint={`${whatIsShared(team)} Off, they see nothing.`}
        checked={pending?.shareWithTeam ?? data.shareWithTeam}
        onSwitch={(shareWithTeam) => change({ shareWithTeam })}
      />
    </Settings>
  );
}
