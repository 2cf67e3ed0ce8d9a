/** The question of January: whether this year has a goal, too. */

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useUser } from "../access/viewer";
import type { ReadingDays } from "../kit/api/types";
import { BASE } from "../kit/base";
import { goalsQuery } from "./api";
import { newYearQuestion } from "./model";

export interface NewYear {
  /** Whether it is still unknown if there is a question. */
  isLoading: boolean;
  /** Null when nothing is asked. */
  question: string | null;
  /** Ends the question for this year. */
  decline: () => void;
}

/** Asks for a goal in a January without one, after a year that had one. */
export function useNewYear(reading: ReadingDays | undefined): NewYear {
  const key = `shelfwise-no-goal${BASE}.${useUser().id}`;
  const [declined, setDeclined] = useState(() => readYear(key));
  const year = reading?.today.slice(0, 4) ?? "";
  const asks =
    reading !== undefined &&
    reading.today.slice(5, 7) === "01" &&
    declined !== year &&
    !reading.goals.some(({ period }) => period === year);
  const { data, isLoading } = useQuery({ ...goalsQuery(String(Number(year) - 1)), enabled: asks });
  return {
    isLoading,
    question: asks && data ? newYearQuestion(data, year) : null,
    decline: () => {
      setDeclined(year);
      storeYear(key, year);
    },
  };
}

/** The year whose goal was declined. It stays in this browser after a log-out, because a new session must not ask again. */
function readYear(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function storeYear(key: string, year: string): void {
  try {
    localStorage.setItem(key, year);
  } catch (error) {
    console.warn("The answer could not be kept:", error);
  }
}
