//! Dates for templates: `strftime_now("%d %b %Y")`.

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const DAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const DAY_S: i64 = 86_400;

/// Formats a time in seconds since 1970 as C's `strftime` does; what it does not know stays as it is.
pub(super) fn strftime(format: &str, unix_s: i64) -> String {
    // Years 0001 to 9999, which is what the formats are made for.
    let unix_s = unix_s.clamp(-62_135_596_800, 253_402_300_799);
    let (days, second) = (unix_s.div_euclid(DAY_S), unix_s.rem_euclid(DAY_S));
    let (year, month, day) = civil(days);
    let (month_name, day_name) = (MONTHS[month as usize - 1], DAYS[(days + 4).rem_euclid(7) as usize]);
    let hour = second / 3600;
    let mut text = String::new();
    let mut chars = format.chars();
    while let Some(c) = chars.next() {
        if c != '%' {
            text.push(c);
            continue;
        }
        let part = match chars.next() {
            Some('Y') => year.to_string(),
            Some('y') => format!("{:02}", year.rem_euclid(100)),
            Some('m') => format!("{month:02}"),
            Some('d') => format!("{day:02}"),
            Some('e') => format!("{day:2}"),
            Some('B') => month_name.to_owned(),
            Some('b') => month_name[..3].to_owned(),
            Some('A') => day_name.to_owned(),
            Some('a') => day_name[..3].to_owned(),
            Some('H') => format!("{hour:02}"),
            Some('I') => format!("{:02}", (hour + 11) % 12 + 1),
            Some('M') => format!("{:02}", second / 60 % 60),
            Some('S') => format!("{:02}", second % 60),
            Some('p') => if hour < 12 { "AM" } else { "PM" }.to_owned(),
            Some('F') => format!("{year}-{month:02}-{day:02}"),
            Some('%') => "%".to_owned(),
            Some(other) => format!("%{other}"),
            None => "%".to_owned(),
        };
        text.push_str(&part);
    }
    text
}

/// Year, month and day of a number of days since 1970 (Howard Hinnant, "chrono-compatible low-level date algorithms").
fn civil(days: i64) -> (i64, i64, i64) {
    let z = days + 719_468;
    let era = z.div_euclid(146_097);
    let day_of_era = z.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        // By GNU date.
        assert_eq!(strftime("%A %d %B %Y %H:%M:%S", 0), "Thursday 01 January 1970 00:00:00");
        assert_eq!(strftime("%a %d %b %Y %I %p", 1_709_210_096), "Thu 29 Feb 2024 12 PM");
        assert_eq!(strftime("%F %y %e %q %%", 951_868_800), "2000-03-01 00  1 %q %");
        assert_eq!(strftime("%Y-%m-%d", -1), "1969-12-31");
        strftime("%A %", i64::MAX);
        strftime("%A", i64::MIN);
    }
}
